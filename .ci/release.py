"""A release: the address of the site is filled in, wheel and sdist are built, checked and tried.

    python .ci/release.py fill https://docs.example/jaxlint/     writes the setting that all links are made of
    python .ci/release.py check [--pythons 3.10 3.12 ...]        builds into dist/ and checks what is there

`check` asks that the version is the same wherever it stands, that twine and check-wheel-contents have nothing to say,
that the README of the distribution has no link that leads nowhere, and that the wheel works in a clean environment of
each Python that is supported and found here.  Needs the extra `release`.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

REPOSITORY = Path(__file__).parents[1]
SETTING = REPOSITORY / "jaxlint" / "vocabulary" / "addresses.py"
DIST = REPOSITORY / "dist"
PYTHONS = ("3.10", "3.11", "3.12", "3.13", "3.14")

PROGRAM = "import jax\n\n\n@jax.jit\ndef f(x):\n    print(x)\n    return x\n"
"""JAX101 in its sixth line."""

_LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)]*)\)")


class Failed(Exception):
    """A check of the release did not hold; the message says which and where."""


def fill(site: str) -> None:
    """Writes the address of the site into the code; raises Failed for what is no address."""
    if not re.fullmatch(r"https://[\w.-]+(/[\w./-]*)?/", site):
        raise Failed(f"{site}: an address starts with https:// and ends in a slash")
    text = SETTING.read_text(encoding="utf-8")
    SETTING.write_text(re.sub(r'^SITE = ".*"$', f'SITE = "{site}"', text, flags=re.MULTILINE), encoding="utf-8")


# -- what is checked ----------------------------------------------------------------------------------


def versions() -> dict[str, str]:
    """The version by the place that it stands at."""
    package = json.loads((REPOSITORY / "editors" / "vscode" / "package.json").read_text(encoding="utf-8"))
    lock = json.loads((REPOSITORY / "editors" / "vscode" / "package-lock.json").read_text(encoding="utf-8"))
    changes = (REPOSITORY / "docs" / "changelog.md").read_text(encoding="utf-8")
    return {
        "jaxlint/__init__.py": runpy.run_path(str(REPOSITORY / "jaxlint" / "__init__.py"))["__version__"],
        "docs/changelog.md": (re.findall(r"^## (\S+)", changes, re.MULTILINE) or [""])[0],
        "editors/vscode/package.json": package["version"],
        "editors/vscode/package-lock.json": lock["version"],
    }


def check_versions() -> str:
    found = versions()
    if len(set(found.values())) != 1:
        raise Failed("the versions differ: " + ", ".join(f"{place} has {version}" for place, version in found.items()))
    return found["jaxlint/__init__.py"]


def check_built(version: str) -> tuple[Path, Path]:
    """The wheel and the sdist, built anew and as twine and check-wheel-contents want them."""
    shutil.rmtree(DIST, ignore_errors=True)
    _run("build", sys.executable, "-m", "build", "--outdir", str(DIST), str(REPOSITORY))
    (wheel,), (sdist,) = DIST.glob(f"*-{version}-*.whl"), DIST.glob(f"*-{version}.tar.gz")
    _run("twine", sys.executable, "-m", "twine", "check", "--strict", str(wheel), str(sdist))
    _run("check-wheel-contents", sys.executable, "-m", "check_wheel_contents", str(wheel))
    return wheel, sdist


def check_contents(wheel: Path, sdist: Path) -> None:
    """The wheel has all modules, cards and data, the sdist what builds it; neither has anything of this machine."""
    tracked = _run("git", "git", "-C", str(REPOSITORY), "ls-files", "jaxlint", "rules").split()
    with zipfile.ZipFile(wheel) as archive:
        inside = {
            name.removeprefix("jaxlint/") if name.startswith("jaxlint/rules/") else name for name in archive.namelist()
        }
        (metadata,) = (archive.read(name).decode() for name in inside if name.endswith(".dist-info/METADATA"))
    if missing := sorted(set(tracked) - inside):
        raise Failed(f"{wheel.name}: without {missing[0]} and {len(missing) - 1} more files")
    with tarfile.open(sdist) as archive:
        packed = {name.partition("/")[2] for name in archive.getnames()}
    if missing := sorted({*tracked, "README.md", "LICENSE", "pyproject.toml", "docs/site/readme.py"} - packed):
        raise Failed(f"{sdist.name}: without {missing[0]} and {len(missing) - 1} more files")
    site = runpy.run_path(str(SETTING))["SITE"]
    readme = metadata.partition("\n\n")[2]
    if site and (found := _LINK.search(readme)):
        raise Failed(f"{wheel.name}: its README leads to {found[1]}, which is nowhere on the web")


def check_works(python: str, distribution: Path, version: str) -> None:
    """The distribution is installed by a Python into an environment of its own, and lints, explains and fixes there."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        _run("venv", python, "-m", "venv", str(folder / "environment"))
        programs = folder / "environment" / ("Scripts" if os.name == "nt" else "bin")
        _run("pip", str(programs / "python"), "-m", "pip", "install", "-q", str(distribution))
        (folder / "train.py").write_text(PROGRAM, encoding="utf-8")
        lint = _command(str(programs / "jaxlint"), folder)
        told = {
            "--version": lambda out: out.split()[-1] == version,
            "check --output-format concise": lambda out: "train.py:6:5: JAX101" in out,
            "check --output-format json": lambda out: _url(json.loads(out)[0]["url"]),
            "rule JAX101": lambda out: out.startswith("# JAX101 "),
            "why train.py:6": lambda out: "x: traced" in out,
            "check --fix": lambda out: "jax.debug.print" in (folder / "train.py").read_text(encoding="utf-8"),
        }
        for arguments, holds in told.items():
            if not holds(lint(*arguments.split())):
                raise Failed(f"{distribution.name}, Python {python}: `jaxlint {arguments}` says something else")
        if (
            _command(str(programs / "python"), folder)("-c", "import jaxlint.api, sys; print('jax' in sys.modules)")
            != "False\n"
        ):
            raise Failed(f"{distribution.name}, Python {python}: jaxlint.api imports jax")


def _url(url: str | None) -> bool:
    site = runpy.run_path(str(SETTING))["SITE"]
    return url == (f"{site}rules/JAX101/" if site else None)


def _command(program: str, folder: Path) -> Callable[..., str]:
    """A program in a folder that gives what it prints; nothing of this checkout is on its path."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}

    def run(*arguments: str) -> str:
        done = subprocess.run(
            [program, *arguments], cwd=folder, capture_output=True, text=True, check=False, env=environment
        )
        if done.returncode not in (0, 1):
            raise Failed(f"{program} {' '.join(arguments)}: exit code {done.returncode}\n{done.stderr}")
        return done.stdout

    return run


def _run(name: str, *command: str) -> str:
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Failed(f"{name}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def found_pythons(wanted: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The interpreters of these versions that run here, by version; those of pyenv, too."""
    for version in wanted:
        others = sorted(
            Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser().glob(f"versions/{version}.*/bin/python")
        )
        for python in (f"python{version}", *map(str, others)):
            tried = shutil.which(python) and subprocess.run([python, "--version"], capture_output=True, check=False)
            if tried and tried.returncode == 0:
                yield version, python
                break


def check(pythons: tuple[str, ...]) -> None:
    """All of it; raises Failed with the first thing that does not hold."""
    version = check_versions()
    wheel, sdist = check_built(version)
    check_contents(wheel, sdist)
    print(f"{wheel.name} and {sdist.name} are as they should be")
    found = dict(found_pythons(pythons))
    if not found:
        raise Failed("none of the supported Pythons is here")
    for number, (known, python) in enumerate(found.items()):
        check_works(python, wheel, version)
        print(f"Python {known}: the wheel works")
        if not number:
            check_works(python, sdist, version)
            print(f"Python {known}: the sdist works")
    for known in pythons:
        if known not in found:
            print(f"Python {known}: not here, not tried")


def main() -> int:
    """The command; 1 with one line where something does not hold."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("fill").add_argument("site")
    commands.add_parser("check").add_argument("--pythons", nargs="+", default=PYTHONS)
    options = parser.parse_args()
    try:
        fill(options.site) if options.command == "fill" else check(tuple(options.pythons))
    except Failed as failure:
        print(f"release: {failure}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
