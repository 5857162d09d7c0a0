"""The exceptions of the package."""


class Error(Exception):
    """What went wrong, in the words of the program. All exceptions of this package are of this class."""


class InputError(Error, ValueError):
    """What was given cannot be scanned: a column is missing, or something is not text."""


class OptionError(Error, ValueError):
    """An option has a value that it cannot have, or options do not go together."""


class IndexFileError(Error, OSError):
    """An index cannot be opened, read or written."""
