"""The programs that edits are tried on: the examples of all cards, and the programs of the tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from jaxlint.project.documents import document_of_python
from jaxlint.silencing.suppressions import may_suppress
from tests.cards_support import cards
from tests.programs_support import programs

TESTS = Path(__file__).parent.parent
HEADER = "from functools import partial\n\nimport jax\nimport jax.numpy as jnp\nimport numpy as np\n"
_FILE = re.compile(r"^# file: (\S+)\n(.*?)(?=^# file|\Z)", re.MULTILINE | re.DOTALL)

Files = dict[str, str]


def of_cards() -> dict[str, Files]:
    return _sound((str(block), block.files) for card in cards() for block in card.blocks)


def of_tests() -> dict[str, Files]:
    """The programs in files, and what stands in the tests' tables, with the imports that it is given there."""
    tables = (program for path in sorted(TESTS.glob("test_*.py")) for program in _of_tables(path))
    return _sound([*((str(program), program.files) for program in programs()), *tables])


def of_folder(folder: Path) -> dict[str, Files]:
    """The programs of one file in a folder."""
    files = sorted(path for path in folder.glob("*.py") if path.name != "check.py")
    return _sound((path.stem, {"program.py": path.read_text(encoding="utf-8")}) for path in files)


def _of_tables(path: Path) -> Iterator[tuple[str, Files]]:
    """The programs of the tables in a file: a text, several files, or a text with what is to be said of it."""
    for statement in ast.parse(path.read_text(encoding="utf-8")).body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=table)], value=ast.Dict(keys=keys, values=values)):
                for key, value in zip(keys, values):
                    if isinstance(key, ast.Constant) and (files := _files_of(value)):
                        yield f"{path.stem}: {table}: {key.value!s}", files


def _files_of(value: ast.expr) -> Files:
    match value:
        case ast.Constant(value=str(text)) | ast.Tuple(elts=[ast.Constant(value=str(text)), *_]) if "\ndef " in text:
            return dict(_FILE.findall(text)) or {"program.py": _with_imports(text)}
        case ast.Dict(keys=keys, values=values):
            texts = {_text_of(one): _text_of(each) for one, each in zip(keys, values)}
            return {} if "" in texts or "" in texts.values() else texts
    return {}


def _text_of(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _with_imports(text: str) -> str:
    return text if re.search(r"^import jax$", text, re.MULTILINE) else HEADER + text


def _sound(programs: Iterable[tuple[str, Mapping[str, str]]]) -> dict[str, Files]:
    """Those that Python can parse and whose comments mean nothing but what the tests expect."""
    found = {}
    for name, files in programs:
        if all(path.endswith(".py") and _is_plain(path, text) for path, text in files.items()):
            found[name] = dict(files)
    return found


def _is_plain(path: str, text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return not may_suppress(text) and not document_of_python(path, text).has_cells
