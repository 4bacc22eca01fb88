"""The playground: what it runs on, fetched once, and what of the tree it is made of.

python docs/site/playground.py             fetches Pyodide and libcst into build/, 15 MB

A site that is built afterwards has the playground; one built without says on its page how to have it.  Needs npm and
pip, and their registries.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path

from jaxlint.api import Certainty, Settings, lint_source
from jaxlint.vocabulary.rules import Rule

HERE = Path(__file__).parent
REPOSITORY = HERE.parents[1]

PLACE = "assets/playground"
"""Where on the site its files are."""

MARK = "<!-- the playground -->"

PYODIDE = "314.0.7"
PYODIDE_SHA256 = "66b7949e5a0cba2250b586d7e368bf12fb482800748d182c4618254b685ffaa0"
LIBCST = "1.8.2"
"""The last with a parser in Python beside the compiled one, which Pyodide's own distribution alone has for browsers."""
LIBCST_SHA256 = "b0110140738be1287e3724080a101e7cec6ae708008b7650c9d8a1c1788ec03a"

RUNTIME = REPOSITORY / "build" / f"playground-{PYODIDE}-{LIBCST}"

PARTS = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
MADE = ("pyodide-lock.json", "libcst.zip")

_FENCE = re.compile(r"^```python bad\n((?:.*\n)*?)```\n", re.MULTILINE)
_MARK = re.compile(r"  # JAX\d{3}.*$", re.MULTILINE)


class CannotFetchError(Exception):
    """The message says what is missing."""


# -- what it runs on ----------------------------------------------------------------------------------


def is_fetched(folder: Path = RUNTIME) -> bool:
    return all((folder / name).is_file() for name in (*PARTS, *MADE))


def fetch(folder: Path = RUNTIME) -> None:
    """Puts Pyodide and libcst into a folder, all or nothing.  Raises CannotFetchError."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent) as name:
        downloads, made = Path(name), Path(name) / "made"
        made.mkdir()
        _pyodide(downloads, made)
        _libcst(downloads, made)
        shutil.rmtree(folder, ignore_errors=True)
        made.chmod(0o755)
        made.rename(folder)


def _pyodide(downloads: Path, folder: Path) -> None:
    npm = shutil.which("npm")
    if npm is None:
        raise CannotFetchError("npm is not installed")
    patience = ["--loglevel=error", "--fetch-retries=1", "--fetch-retry-mintimeout=1000"]
    _run([npm, "pack", f"pyodide@{PYODIDE}", *patience, "--pack-destination", str(downloads)])
    archive = _only(downloads, "pyodide-*.tgz", PYODIDE_SHA256)
    with tarfile.open(archive) as files:
        for name in PARTS:
            content = files.extractfile(f"package/{name}")
            assert content is not None, name
            (folder / name).write_bytes(content.read())
        lock = files.extractfile("package/pyodide-lock.json")
        assert lock is not None
        # Packages would come from elsewhere: there are none.
        known = {**json.loads(lock.read()), "packages": {}}
    (folder / "pyodide-lock.json").write_text(json.dumps(known), encoding="utf-8")


def _libcst(downloads: Path, folder: Path) -> None:
    wanted = ["--no-deps", "--only-binary=:all:", "--python-version=3.11", "--platform=manylinux_2_28_x86_64"]
    wanted += ["--quiet", "--retries=1", "--dest", str(downloads)]
    _run([sys.executable, "-m", "pip", "download", *wanted, f"libcst=={LIBCST}"])
    wheel = _only(downloads, "libcst-*.whl", LIBCST_SHA256)
    with zipfile.ZipFile(wheel) as files, zipfile.ZipFile(folder / "libcst.zip", "w", zipfile.ZIP_DEFLATED) as kept:
        for name in files.namelist():
            if not name.endswith((".so", ".pyi")) and "/tests/" not in name:
                kept.writestr(name, files.read(name))


def _only(folder: Path, pattern: str, sha256: str) -> Path:
    (found,) = folder.glob(pattern)
    if hashlib.sha256(found.read_bytes()).hexdigest() != sha256:
        raise CannotFetchError(f"{found.name} is not the file that was tested with")
    return found


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    except subprocess.TimeoutExpired:
        raise CannotFetchError(f"{Path(command[0]).name} had no answer in five minutes") from None
    if done.returncode:
        told = (done.stderr or done.stdout).strip().splitlines()[:4]
        raise CannotFetchError(f"{' '.join(command[:4])}: {'; '.join(told) or done.returncode}")


# -- the page -----------------------------------------------------------------------------------------


def shown(is_here: bool) -> str:
    """What stands on the page in place of the mark, which GitHub does not show."""
    if is_here:
        return (HERE / "playground.html").read_text(encoding="utf-8")
    return (
        '!!! note "This build of the site has no playground"\n'
        "    `python docs/site/playground.py` fetches what it runs on; then the site is to be built again.\n"
    )


# -- what it is made of -------------------------------------------------------------------------------


def files(rules: Iterable[Rule], folder: Path = RUNTIME) -> Iterator[tuple[str, bytes]]:
    """What the page loads beside its own scripts, by name."""
    for name in (*PARTS, *MADE):
        yield f"runtime/{name}", (folder / name).read_bytes()
    yield "runtime/jaxlint.zip", _package()
    yield "session.py", (HERE / "playground_session.py").read_bytes()
    yield "examples.json", json.dumps(examples(rules), ensure_ascii=False).encode()


def _package() -> bytes:
    """jaxlint as a wheel has it, for an unpacked folder."""
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, ending in (("jaxlint", ".py"), ("rules", ".md")):
            for path in sorted((REPOSITORY / part).rglob(f"*{ending}")):
                name = path.relative_to(REPOSITORY).as_posix()
                entry = zipfile.ZipInfo(name if part == "jaxlint" else f"jaxlint/{name}")
                archive.writestr(entry, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return made.getvalue()


def examples(rules: Iterable[Rule]) -> list[dict[str, object]]:
    """The menu: families, and the rules of each that an example shows."""
    families = groupby(rules, key=lambda rule: rule.family)
    menu = ((family, list(filter(None, map(example, members)))) for family, members in families)
    return [{"family": family.capitalize(), "examples": found} for family, found in menu if found]


@cache
def example(rule: Rule) -> dict[str, object] | None:
    """The first bad example of a rule that shows it in one text, without its marks, and the options that it takes."""
    options = {"possible": rule.certainty is Certainty.POSSIBLE, "preview": rule.is_preview}
    settings = Settings(certainty=rule.certainty, preview=rule.is_preview)
    for block in _FENCE.findall(rule.body):
        text = _MARK.sub("", block).strip("\n") + "\n"
        if rule.code in {finding.code for finding in lint_source(text, settings=settings)}:
            needs = [name for name, holds in options.items() if holds]
            return {"code": rule.code, "name": rule.name, "text": text, "needs": needs}
    return None


def main() -> int:
    """Fetches; 2 where that cannot be done."""
    try:
        fetch()
    except CannotFetchError as error:
        print(f"playground: {error}", file=sys.stderr)
        return 2
    print(f"{RUNTIME.relative_to(REPOSITORY)}: the next build of the site has the playground")
    return 0


if __name__ == "__main__":
    sys.exit(main())
