"""The options of Python are those of the program, and the stubs those of the module."""

import ast
import inspect
import json
import re

import pytest

import dupfind
from dupfind import _dupfind
from dupfind._options import about_pairs

from conftest import REPOSITORY

def parameters(function):
    return inspect.signature(function).parameters


def of_comparing():
    """The options of ``scan`` about text and detection, as Spark takes them."""
    names = list(parameters(dupfind.scan))
    return {name: parameters(dupfind.scan)[name] for name in names[names.index("min_jaccard") : names.index("shingle_size") + 1]}


def test_options_of_comparing_are_keys_of_the_configuration():
    schema = json.loads((REPOSITORY / "schema/dupfind.toml.schema.json").read_text(encoding="utf-8"))["properties"]
    for name, parameter in of_comparing().items():
        key = schema[name.replace("_", "-")]
        if parameter.default is not None:
            default = list(parameter.default) if isinstance(parameter.default, tuple) else parameter.default
            # The default of a list is in its description alone.
            assert key.get("default", default) == default, name


def test_options_of_comparing_are_where_texts_are_compared():
    options = of_comparing()
    # An index finds pairs by two detectors.
    assert options.keys() - parameters(dupfind.Index).keys() == {"detectors"}
    for page in ("docs/python.md", "python/dupfind/spark/__init__.py"):
        text = (REPOSITORY / page).read_text(encoding="utf-8")
        assert re.search("about text and detection, from `+min_jaccard`+ to `+shingle_size`+", text), page


def test_options_have_one_default():
    of_scan = parameters(dupfind.scan)
    own = parameters(dupfind.Index)
    shared = own.keys() & of_scan.keys()
    assert len(shared) > 6
    assert {name: own[name].default for name in shared} == {name: of_scan[name].default for name in shared}


def test_what_options_do_is_said_where_they_are():
    for called in (dupfind.scan, dupfind.Index):
        told = re.findall(r"^    (\w+(?:, \w+)*): ", inspect.cleandoc(called.__doc__).split("Args:\n")[1].split("\n\n")[0], re.M)
        told = [name for names in told for name in names.split(", ")]
        assert told == list(parameters(called)), called


def test_options_of_spark_are_those_of_comparing():
    usual = {name: each.default for name, each in of_comparing().items()}
    assert about_pairs("near_duplicates", {**usual, "threads": 2}) == {**usual, "threads": 2}
    for name in ("min_jacard", "keep", "memory_limit", "glob"):
        with pytest.raises(TypeError, match=rf"^near_duplicates\(\) got an unexpected keyword argument '{name}': expected one of min_jac"):
            about_pairs("near_duplicates", {name: None})


def test_the_stubs_have_the_signatures_of_the_module():
    stubs = ast.parse((REPOSITORY / "python/dupfind/_dupfind.pyi").read_text(encoding="utf-8"))
    count = 0
    for node in stubs.body:
        named = getattr(_dupfind, getattr(node, "name", ""), None)
        functions = [(named, node)] if named and isinstance(node, ast.FunctionDef) else []
        if named and isinstance(node, ast.ClassDef):
            of_class = named
            made = {"__new__": of_class}
            own = [each for each in node.body if isinstance(each, ast.FunctionDef) and not each.decorator_list]
            own = [each for each in own if each.name == "__new__" or not each.name.startswith("_")]
            functions = [(made.get(each.name) or getattr(of_class, each.name), each) for each in own]
        for function, stub in functions:
            known = stub.args.posonlyargs + stub.args.args
            defaults = dict(zip([each.arg for each in known][::-1], stub.args.defaults[::-1]))
            defaults.update(zip([each.arg for each in stub.args.kwonlyargs], stub.args.kw_defaults))
            expected = {
                each.arg: ast.literal_eval(default) if (default := defaults.get(each.arg)) else inspect.Parameter.empty
                for each in known + stub.args.kwonlyargs
                if each.arg not in ("self", "cls")
            }
            found = {name: each.default for name, each in parameters(function).items() if name != "self"}
            assert found == expected, stub.name
            count += 1
    assert count > 20
