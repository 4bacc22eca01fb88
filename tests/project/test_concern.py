"""Which files can be left unanalysed because nothing connects them with JAX."""

from __future__ import annotations

from pathlib import Path

import pytest

from jaxlint.api import lint_paths
from jaxlint.project.concern import concerns_jax
from jaxlint.project.import_lines import imports_in
from jaxlint.project.installed import JAX_PACKAGES
from jaxlint.project.program import load_program
from jaxlint.semantics.libraries import LIBRARIES
from jaxlint.settings.resolved import Settings

JIT_ELSEWHERE = """\
import jax
from helpers.shapes import area
jax.jit(area)(1.0)
"""
HELPER = """\
def area(x):
    print(x)
    return x
"""


def concerned(folder: Path, files: dict[str, str], settings: Settings | None = None) -> list[str]:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    (folder / "jaxlint.toml").touch()

    def asks(name: str) -> bool:
        return concerns_jax(load_program(str(folder), settings or Settings(), [str(folder / name)], {}))

    return [name for name in files if asks(name)]


CONNECTED = {
    "jitted by its importer": {"main.py": JIT_ELSEWHERE, "helpers/shapes.py": HELPER},
    "handed over by a third": {
        "shapes.py": HELPER,
        "compile.py": "from jax import jit as fast\n",
        "main.py": "import shapes, compile\ncompile.fast(shapes.area)\n",
    },
    "through packages": {
        "pkg/__init__.py": "from .deep import *\n",
        "pkg/deep/__init__.py": "from . import shapes\n",
        "pkg/deep/shapes.py": HELPER,
        "main.py": "import pkg, flax.linen as nn\n",
    },
    "in whatever layout": {
        "a.py": "def f():\n    if True: from \\\n  b  import ( # the ) first\n  g,\n h)\n",
        "b.py": "x = 1; import os, \\\n   c as d  # import nothing\n",
        "c.py": "try: import numpy, haiku.experimental as h\nexcept ImportError: pass\n",
    },
}


@pytest.mark.parametrize("files", CONNECTED.values(), ids=CONNECTED)
def test_what_imports_connect_with_jax(tmp_path: Path, files: dict[str, str]) -> None:
    assert concerned(tmp_path, files) == list(files)


def test_what_nothing_connects_with_jax(tmp_path: Path) -> None:
    files = {
        "train.py": "import jax\n",
        "tools/clean.py": "import os\n# like `import jax`, but not\n",
        "tools/words.py": "from clean import walk\n'jax'\n",
    }
    assert concerned(tmp_path, files) == ["train.py"]


def test_a_transform_that_the_settings_declare_counts(tmp_path: Path) -> None:
    files = {"a.py": "import house\nhouse.fast(print)\n", "b.py": "x = 1\n"}
    settings = Settings(transforms=(("house.fast", "jax.jit"),))
    assert concerned(tmp_path, files) == []
    assert concerned(tmp_path, files, settings) == ["a.py"]


def test_a_finding_far_from_any_mention_of_jax_is_found_alone(tmp_path: Path) -> None:
    concerned(tmp_path, CONNECTED["jitted by its importer"])
    (found,) = lint_paths([tmp_path / "helpers" / "shapes.py"])
    assert (found.code, found.location.line) == ("JAX101", 2)


def test_a_broken_file_is_said_without_jax_too(tmp_path: Path) -> None:
    assert concerned(tmp_path, {"a.py": "def f(:\n", "b.py": "x = 1  # jaxlint: ignore[JAX101]\n"}) == []
    assert [finding.code for finding in lint_paths([tmp_path])] == ["JAX001", "JAX003"]


def test_every_library_with_a_table_is_known() -> None:
    tables = [
        *(library.wrappers for library in LIBRARIES),
        *(library.higher_order for library in LIBRARIES),
        *(library.key_uses for library in LIBRARIES),
        *(library.callbacks for library in LIBRARIES),
        *(library.array_results for library in LIBRARIES),
        *(library.fresh_keys for library in LIBRARIES),
        *(library.module_bases for library in LIBRARIES),
    ]
    heads = {name.partition(".")[0] for table in tables for name in table}
    assert heads <= JAX_PACKAGES


UNFINISHED = {
    "a list in a comment that was cut off": "# from nets import (  # the small ones\n" + "#     Small,\n" * 30,
    "a list that is being typed": "from nets import (Small,\n    Large\n\n",
    "a list that is being typed, its comments written": "from nets import (  # ours\n    Small,  # 1\n    #Large\n",
    "a list behind a list": "from nets import (from nets import (\n",
    "a sentence": '"""We import (lazily, when\n asked for"""\n',
}


@pytest.mark.parametrize("text", UNFINISHED.values(), ids=UNFINISHED)
def test_what_follows_an_unfinished_import_is_read(text: str) -> None:
    *_, last = imports_in(text + "import jax.numpy as jnp\n")
    assert (last.level, last.module, last.names) == (0, None, ("jax.numpy",))


def test_imports_are_read_as_python_reads_them() -> None:
    text = "from  ..a.b import (c as d, # e)\n  f)\nimport g.h as i, j;import k\n"
    assert [(found.level, found.module, found.names) for found in imports_in(text)] == [
        (2, "a.b", ("c", "f")),
        (0, None, ("g.h", "j")),
        (0, None, ("k",)),
    ]


def test_imports_of_every_form() -> None:
    text = (
        "from . import(a)\nfrom  ..b.c import *\nfrom fromage import \\\n x as y, \\\n z\n#import n\n'from';import m\n"
    )
    assert list(imports_in("from  .  import a")) == [(1, "", ("a",))]
    assert [(found.level, found.module, found.names) for found in imports_in(text)] == [
        (1, "", ("a",)),
        (2, "b.c", ("*",)),
        (0, "fromage", ("x", "z")),
        (0, None, ("m",)),
    ]
