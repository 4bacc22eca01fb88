"""Which files a set of paths stands for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from jaxlint.project.discovery import Excludes, MissingPathError, expand_arguments, python_files
from jaxlint.settings.resolved import DEFAULT_EXCLUDE


def files(folder: Path, *paths: str, exclude: tuple[str, ...] = DEFAULT_EXCLUDE, gitignore: bool = True) -> list[str]:
    excludes = Excludes(exclude, gitignore)
    found = python_files(expand_arguments(paths or ["."], str(folder)), lambda _: excludes)
    return [os.path.relpath(path, folder) for path in found]


def tree(folder: Path, *names: str) -> None:
    for name in names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x = 1\n")


def test_folders_are_walked_in_order(tmp_path: Path) -> None:
    tree(tmp_path, "b.py", "a/z.py", "a/b/c.py", "a.py", "notes.txt", "data.json")
    assert files(tmp_path) == ["a.py", "a/b/c.py", "a/z.py", "b.py"]


def test_notebooks_are_found_and_stubs_passed_over(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "a.pyi", "b.ipynb", ".ipynb_checkpoints/b.ipynb")
    assert files(tmp_path) == ["a.py", "b.ipynb"]
    assert files(tmp_path, "a.pyi", "b.ipynb") == ["b.ipynb"]


def test_environments_and_build_folders_are_left_out(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", ".venv/lib/x.py", "build/lib/y.py", "node_modules/z.py", "src/build/w.py")
    assert files(tmp_path) == ["a.py"]


def test_a_file_that_is_named_is_always_taken(tmp_path: Path) -> None:
    tree(tmp_path, "build/y.py", "script")
    assert files(tmp_path, "build/y.py", "script") == ["build/y.py", "script"]


def test_exclude_by_name_path_and_glob(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "gen_a.py", "sub/gen_b.py", "sub/deep/c.py", "other/deep/d.py")
    absolute = str(tmp_path / "sub/deep")
    assert files(tmp_path, exclude=("gen_*.py", absolute)) == ["a.py", "other/deep/d.py"]


def test_gitignore_files_count_up_to_the_repository(tmp_path: Path) -> None:
    tree(tmp_path, "a.py", "out/x.py", "keep/out/y.py", "sub/a_gen.py", "sub/b.py", "sub/special_gen.py")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("/out/\n*_gen.py\n")
    (tmp_path / "sub/.gitignore").write_text("!special_gen.py\n")
    assert files(tmp_path) == ["a.py", "keep/out/y.py", "sub/b.py", "sub/special_gen.py"]
    assert files(tmp_path, "sub") == ["sub/b.py", "sub/special_gen.py"]
    assert len(files(tmp_path, gitignore=False)) == 6


def test_links_that_loop_end_and_each_file_comes_once(tmp_path: Path) -> None:
    tree(tmp_path, "pkg/a.py")
    (tmp_path / "pkg/self").symlink_to(tmp_path / "pkg")
    (tmp_path / "pkg/up").symlink_to(tmp_path)
    (tmp_path / "alias").symlink_to(tmp_path / "pkg")
    (tmp_path / "ouroboros.py").symlink_to(tmp_path / "ouroboros.py")
    assert [name for name in files(tmp_path) if name != "ouroboros.py"] == ["pkg/a.py"]


def test_a_linked_file_is_found_under_its_own_name(tmp_path: Path) -> None:
    tree(tmp_path, "real.py")
    (tmp_path / "link.py").symlink_to(tmp_path / "real.py")
    assert files(tmp_path) == ["real.py"]
    assert files(tmp_path, "link.py") == ["link.py"]


def test_a_link_that_leads_outside_is_followed(tmp_path: Path) -> None:
    tree(tmp_path, "outside/a.py", "inside/b.py")
    (tmp_path / "inside/link").symlink_to(tmp_path / "outside")
    assert files(tmp_path, "inside") == ["inside/b.py", "inside/link/a.py"]


def test_globs_and_repeated_paths(tmp_path: Path) -> None:
    tree(tmp_path, "a/x.py", "a/y.py", "b/x.py")
    assert files(tmp_path, "*/x.py", "a/x.py", "a") == ["a/x.py", "a/y.py", "b/x.py"]


@pytest.mark.parametrize("path", ["gone.py", "gone/", "gone*.py"])
def test_what_is_not_there_is_named(tmp_path: Path, path: str) -> None:
    with pytest.raises(MissingPathError, match=r"^gone\S*: no such file or folder$"):
        files(tmp_path, path)
