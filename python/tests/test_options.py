"""The options of Python are those of the program, and the stubs those of the module."""

import ast
import inspect
import json

import dupfind
from dupfind import _dupfind

from conftest import REPOSITORY

# The parameters of ``scan`` that say nothing of how texts are compared.
NOT_OF_COMPARING = {
    *("x", "against", "text", "id", "keep", "drop", "min_similarity", "threads", "memory_limit", "progress"),
    *("glob", "exclude", "hidden", "ignore_files"),
}


def parameters(function):
    return inspect.signature(function).parameters


def test_options_of_comparing_are_keys_of_the_configuration():
    schema = json.loads((REPOSITORY / "schema/dupfind.toml.schema.json").read_text(encoding="utf-8"))["properties"]
    for name, parameter in parameters(dupfind.scan).items():
        if name in NOT_OF_COMPARING:
            continue
        key = schema[name.replace("_", "-")]
        if parameter.default is not None:
            default = list(parameter.default) if isinstance(parameter.default, tuple) else parameter.default
            # The default of a list is in its description alone.
            assert key.get("default", default) == default, name


def test_options_of_comparing_are_where_texts_are_compared():
    options = set(parameters(dupfind.scan)) - NOT_OF_COMPARING
    # Executors find what ``scan`` does, an index finds pairs by two detectors, and a scan that is over can only find fewer.
    for function, lacks in (
        (_dupfind.TileEngine, set()),
        (dupfind.Index, {"detectors"}),
        (dupfind.Result.rethreshold, {"detectors", "rewritten", "shingle_unit", "shingle_size"}),
    ):
        assert options - set(parameters(function)) == options & lacks, function
    for page in ("docs/python.md", "python/dupfind/spark/__init__.py"):
        text = (REPOSITORY / page).read_text(encoding="utf-8")
        assert [name for name in options if f"`{name}`" not in text] == [], page


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
