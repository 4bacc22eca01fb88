"""Which files make a program, what its modules are called, and where imports lead."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jaxlint.api import lint_paths
from jaxlint.project.program import Program, load_program
from jaxlint.project.roots import program_root
from jaxlint.settings.resolved import Settings


def program(folder: Path, *names: str, settings: Settings | None = None) -> Program:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("")
    first = str(folder / next(name for name in names if name.endswith(".py")))
    asked = [str(folder)]
    return load_program(program_root(first, asked), settings or Settings(), [first], {}, folders=asked)


def names(program: Program) -> dict[str, str]:
    return {os.path.relpath(module.path, program.root): name for name, module in program.modules.items()}


LAYOUTS = {
    "flat": (
        ["pyproject.toml", "pkg/__init__.py", "pkg/a.py", "pkg/sub/__init__.py", "pkg/sub/b.py"],
        ["pkg", "pkg.a", "pkg.sub", "pkg.sub.b"],
    ),
    "src": (["setup.py", "src/pkg/__init__.py", "src/pkg/a.py", "tests/t.py"], ["pkg", "pkg.a", "setup", "tests.t"]),
    "src as a package": (["pyproject.toml", "src/__init__.py", "src/a.py"], ["src", "src.a"]),
    "namespace package": ([".git/HEAD", "ns/part/a.py", "ns/other/b.py"], ["ns.other.b", "ns.part.a"]),
    "package without a project": (["pkg/__init__.py", "pkg/a.py", "pkg/data/b.py"], ["pkg", "pkg.a", "pkg.data.b"]),
    "scripts": (["one.py", "two.py"], ["one", "two"]),
    "folders no import can name": (["pyproject.toml", "my-exp/run.py", "my-exp/lib/a.py"], ["lib.a", "run"]),
    "repository that is a package": ([".git/HEAD", "__init__.py", "a.py"], ["project", "project.a"]),
}


@pytest.mark.parametrize(("files", "expected"), LAYOUTS.values(), ids=LAYOUTS)
def test_module_names(tmp_path: Path, files: list[str], expected: list[str]) -> None:
    assert sorted(program(tmp_path / "project", *files).modules) == expected


def test_scripts_of_one_name_are_two_modules(tmp_path: Path) -> None:
    both = program(tmp_path, "pyproject.toml", "exp-1/train.py", "exp-2/train.py")
    assert names(both) == {"exp-1/train.py": "train", "exp-2/train.py": "train@exp-2"}


def test_the_program_is_the_same_whichever_file_is_asked_for(tmp_path: Path) -> None:
    whole = program(tmp_path, "pyproject.toml", "a.py", "pkg/b.py", "pkg/deep/c.py")
    for path in ("a.py", "pkg/b.py", "pkg/deep/c.py"):
        alone = load_program(program_root(str(tmp_path / path)), Settings(), [str(tmp_path / path)], {})
        assert names(alone) == names(whole)
        assert list(alone.requested) == [str(tmp_path / path)]


def test_a_file_in_a_folder_that_nobody_calls_a_program_belongs_with_its_neighbours_and_what_they_import(
    tmp_path: Path,
) -> None:
    """In somebody's home, say: a walk through all that lies below would take minutes."""
    files = {
        "one.py": "import near.part\n",
        "two.py": "",
        "near/part.py": "from .deep import c\n",
        "near/deep/c.py": "import further\n",
        "further/d.py": "",
        "elsewhere/e.py": "import one\n",
        "repository/.git/HEAD": "",
        "repository/f.py": "",
    }
    program(tmp_path, *files)
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    alone = load_program(program_root(str(tmp_path / "one.py")), Settings(), [str(tmp_path / "one.py")], {})
    assert names(alone).keys() == {"one.py", "two.py", "near/part.py", "near/deep/c.py", "further/d.py"}
    asked = load_program(str(tmp_path), Settings(), [str(tmp_path / "one.py")], {}, folders=[f"{tmp_path}{os.sep}"])
    assert names(asked).keys() == {*names(alone), "elsewhere/e.py"}


def test_an_excluded_file_that_is_asked_for_belongs_to_the_program(tmp_path: Path) -> None:
    program(tmp_path, "pyproject.toml", "a.py", "skipped/b.py")
    asked = str(tmp_path / "skipped/b.py")
    settings = Settings(exclude=("skipped",))
    assert list(load_program(str(tmp_path), settings, [], {}).modules) == ["a"]
    assert list(load_program(str(tmp_path), settings, [asked], {}).modules) == ["a", "skipped.b"]


ROOTS = {
    "nearest project file": (["pyproject.toml", "inner/setup.cfg", "inner/pkg/a.py"], "inner"),
    "a test folder's requirements make no program": (
        ["pyproject.toml", "tests/requirements.txt", "tests/pkg/a.py"],
        "",
    ),
    "an application's requirements do": ([".git/HEAD", "apps/one/requirements.txt", "apps/one/pkg/a.py"], "apps/one"),
    "installed packages do not belong to the project around": (
        ["pyproject.toml", ".venv/lib/site-packages/lib/__init__.py", ".venv/lib/site-packages/lib/pkg/a.py"],
        ".venv/lib/site-packages/lib",
    ),
    "outermost package": (["x/__init__.py", "x/y/__init__.py", "x/y/pkg/a.py"], "x"),
}


@pytest.mark.parametrize(("files", "root"), ROOTS.values(), ids=ROOTS)
def test_root(tmp_path: Path, files: list[str], root: str) -> None:
    program(tmp_path, *files)
    (asked,) = (tmp_path / name for name in files if name.endswith("pkg/a.py"))
    assert os.path.relpath(program_root(str(asked)), tmp_path) == (root or ".")


FOLDERS = {
    "what was asked for": (["main.py", "x/__init__.py", "x/pkg/a.py"], "", ""),
    "a folder inside of a package": (["main.py", "x/__init__.py", "x/pkg/a.py"], "x/pkg", "x"),
    "a package": (["main.py", "x/__init__.py", "x/pkg/a.py"], "x", "x"),
    "a project inside": (["main.py", "x/setup.py", "x/pkg/a.py"], "", "x"),
    "all that is installed": (
        ["site-packages/x/__init__.py", "site-packages/x/pkg/a.py"],
        "site-packages",
        "site-packages/x",
    ),
}


@pytest.mark.parametrize(("files", "folder", "root"), FOLDERS.values(), ids=FOLDERS)
def test_root_below_a_folder_that_was_asked_for(tmp_path: Path, files: list[str], folder: str, root: str) -> None:
    program(tmp_path, *files)
    found = program_root(str(tmp_path / files[-1]), [os.path.normpath(tmp_path / folder)])
    assert os.path.relpath(found, tmp_path) == (root or ".")


def test_a_nested_project_is_a_program_of_its_own(tmp_path: Path) -> None:
    outer = program(tmp_path, "pyproject.toml", "a.py", "inner/pyproject.toml", "inner/b.py")
    assert list(outer.modules) == ["a"]


def resolve(program: Program, path: str, level: int, name: str | None) -> str:
    module = program.at(os.path.join(program.root, path))
    assert module is not None
    return program.resolve_import(module, level, name)


def test_relative_imports(tmp_path: Path) -> None:
    package = program(tmp_path, "pyproject.toml", "pkg/__init__.py", "pkg/a.py", "pkg/sub/__init__.py", "pkg/sub/b.py")
    assert resolve(package, "pkg/a.py", 1, None) == "pkg"
    assert resolve(package, "pkg/a.py", 1, "sub.b") == "pkg.sub.b"
    assert resolve(package, "pkg/__init__.py", 1, "a") == "pkg.a"
    assert resolve(package, "pkg/sub/b.py", 2, "a") == "pkg.a"


def test_absolute_imports(tmp_path: Path) -> None:
    package = program(
        tmp_path, "pyproject.toml", "src/pkg/__init__.py", "src/pkg/a.py", "tests/helpers.py", "tests/t.py"
    )
    assert resolve(package, "tests/t.py", 0, "pkg.a") == "pkg.a"
    assert resolve(package, "tests/t.py", 0, "src.pkg.a") == "pkg.a"
    assert resolve(package, "tests/t.py", 0, "helpers") == "tests.helpers"
    assert resolve(package, "tests/t.py", 0, "tests.helpers") == "tests.helpers"
    assert resolve(package, "tests/t.py", 0, "jax.numpy") == "jax.numpy"
    assert resolve(package, "tests/t.py", 0, "pkg.a.function") == "pkg.a.function"


def test_scripts_prefer_the_file_beside_them(tmp_path: Path) -> None:
    scripts = program(
        tmp_path, "pyproject.toml", "utils.py", "one/train.py", "one/utils.py", "two/train.py", "three/deep/run.py"
    )
    assert resolve(scripts, "one/train.py", 0, "utils") == "one.utils"
    assert resolve(scripts, "two/train.py", 0, "utils") == "utils"
    assert resolve(scripts, "three/deep/run.py", 0, "utils") == "utils"


def test_files_of_a_package_may_be_run_as_scripts_but_do_not_shadow_libraries(tmp_path: Path) -> None:
    package = program(tmp_path, "pyproject.toml", "pkg/__init__.py", "pkg/main.py", "pkg/nets.py", "pkg/random.py")
    assert resolve(package, "pkg/main.py", 0, "nets") == "pkg.nets"
    assert resolve(package, "pkg/main.py", 0, "random") == "random"


def test_source_roots_can_be_set(tmp_path: Path) -> None:
    settings = Settings(root=str(tmp_path), src=("lib/python",))
    rooted = program(tmp_path, "pyproject.toml", "lib/python/pkg/a.py", "run.py", settings=settings)
    assert sorted(rooted.modules) == ["pkg.a", "run"]


def test_a_copy_of_jax_in_some_folder_is_not_what_import_jax_means(tmp_path: Path) -> None:
    copy = tmp_path / "vendored-1.2" / "jax"
    read = program(
        tmp_path, "train.py", "vendored-1.2/jax/__init__.py", "vendored-1.2/jax/numpy.py", "requirements.txt"
    )
    assert names(read)["vendored-1.2/jax/numpy.py"] == "vendored-1_2@jax.numpy"
    inside = read.at(str(copy / "__init__.py"))
    assert inside is not None
    assert read.resolve_import(inside, 1, "numpy") == "vendored-1_2@jax.numpy"
    (tmp_path / "train.py").write_text("import jax\n\n\n@jax.jit\ndef f(x):\n    return float(x)\n")
    assert [finding.code for finding in lint_paths([tmp_path / "train.py"])] == ["JAX211"]


def run(folder: Path, files: dict[str, str], asked: str = "main.py") -> list[tuple[str, int]]:
    """The findings in one of the files, each with its line."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = lint_paths([folder])
    return [(one.code, one.location.line) for one in found if one.path == str(folder / asked)]


BRANCH = "\n\n@{}.jit\ndef f(x):\n    if x > 0:\n        return x\n    return -x\n"
TRAIN = "import jax\n" + BRANCH.format("jax")


@pytest.mark.parametrize("name", ["jax", "torch", "numpy", "optax", "logging"])
@pytest.mark.parametrize("marker", ["", "pyproject.toml"])
def test_a_folder_without_init_does_not_hide_the_library_of_its_name(tmp_path: Path, name: str, marker: str) -> None:
    if marker:
        (tmp_path / marker).touch()
    module = "import jax\nfrom . import model\nimport model as same\n\njax.jit(model.forward)\njax.jit(same.forward)\n"
    files = {
        "main.py": f"import jax\nimport {name}\n" + BRANCH.format("jax"),
        f"{name}/train.py": module,
        f"{name}/model.py": "def forward(x):\n    print(x)\n    return x\n",
    }
    assert run(tmp_path, files) == [("JAX201", 7)]
    assert run(tmp_path, files, f"{name}/model.py") == [("JAX101", 2)]


def test_what_uses_numpy_is_found_beside_a_folder_numpy(tmp_path: Path) -> None:
    text = "import jax\nimport numpy as np\n\n\n@jax.jit\ndef f(x):\n    return np.sin(x)\n"
    assert run(tmp_path, {"main.py": text, "numpy/bench.py": "x = 1\n"}) == [("JAX213", 7)]


def test_a_package_or_a_module_of_a_librarys_name_does_hide_it(tmp_path: Path) -> None:
    branch = "import jax\n" + BRANCH.format("jax")
    assert run(tmp_path / "a", {"main.py": branch, "jax/__init__.py": "def jit(f):\n    return f\n"}) == []
    assert run(tmp_path / "b", {"main.py": branch, "jax.py": "def jit(f):\n    return f\n"}) == []
    assert run(tmp_path / "c", {"main.py": branch, "jax.py": "def jit(f):\n    return f\n", "jax/a.py": ""}) == []


def test_folders_named_like_a_library_further_down(tmp_path: Path) -> None:
    files = {"examples/main.py": TRAIN, "examples/jax/train.py": TRAIN, "examples/torch/train.py": TRAIN}
    (tmp_path / "pyproject.toml").touch()
    for name in files:
        assert run(tmp_path, files, name) == [("JAX201", 6)]
