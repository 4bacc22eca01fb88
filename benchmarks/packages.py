"""The packages the benchmarks read: fixed versions, taken from PyPI once and kept unpacked in a cache folder.

Only sources are wanted: wheels are unpacked, never installed, and nothing of them is imported.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

if TYPE_CHECKING:
    from collections.abc import Iterable

DEFAULT_CACHE = Path.home() / ".cache" / "jaxlint-benchmarks"


@dataclass(frozen=True)
class Package:
    """One fixed version, unpacked under ``root``."""

    name: str
    version: str
    root: Path

    def sources(self) -> list[Path]:
        """Every Python file of the package, in a fixed order."""
        return sorted(path for path in self.root.rglob("*.py") if path.is_file())

    def relative(self, path: str | Path) -> str:
        """``path`` as it is written in triage.toml: relative to the package, with forward slashes."""
        return Path(path).resolve().relative_to(self.root.resolve()).as_posix()


def fixed_versions() -> dict[str, str]:
    """Name to version, as packages.toml beside this file lists them."""
    listed = tomllib.loads((Path(__file__).parent / "packages.toml").read_text(encoding="utf-8"))
    return dict(listed["packages"])


def obtain(cache: Path, only: Iterable[str] = ()) -> list[Package]:
    """The packages named in ``only`` (all of them when it is empty), downloading what the cache lacks.

    Raises SystemExit for a name that packages.toml does not list, CalledProcessError when pip fails.
    """
    versions = fixed_versions()
    names = list(only) or list(versions)
    if unknown := [name for name in names if name not in versions]:
        raise SystemExit(f"not in packages.toml: {', '.join(unknown)}")
    packages = [Package(name, versions[name], cache / f"{name}-{versions[name]}") for name in names]
    for package in packages:
        if not package.root.is_dir():
            _download(package)
    return packages


def _download(package: Package) -> None:
    package.root.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=package.root.parent) as scratch:
        wanted = f"{package.name}=={package.version}"
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary", ":all:"]
        subprocess.run([*pip, "--dest", scratch, wanted], check=True, stderr=subprocess.DEVNULL)
        unpacked = Path(scratch) / "unpacked"
        for wheel in Path(scratch).glob("*.whl"):
            with zipfile.ZipFile(wheel) as archive:
                archive.extractall(unpacked)
        unpacked.rename(package.root)
