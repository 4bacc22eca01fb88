"""What the user asked for: the settings of one program, as resolved from configuration and command line."""

from __future__ import annotations

from dataclasses import dataclass, field

from jaxlint.findings import Certainty

DEFAULT_EXCLUDE = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".git-rewrite",
    ".hg",
    ".ipynb_checkpoints",
    ".mypy_cache",
    ".nox",
    ".pants.d",
    ".pyenv",
    ".pytest_cache",
    ".pytype",
    ".ruff_cache",
    ".svn",
    ".tox",
    ".venv",
    ".vscode",
    "__pypackages__",
    "_build",
    "buck-out",
    "build",
    "dist",
    "node_modules",
    "site-packages",
    "venv",
)


@dataclass(frozen=True, slots=True)
class Settings:
    """Every choice the analysis and the report depend on, complete with defaults.

    ``root`` is the folder the patterns and ``src`` are relative to: the folder of the configuration file, or
    None without one (then the program's own root).  ``select`` and ``ignore`` hold selectors as written.
    """

    root: str | None = None
    select: tuple[str, ...] = ("ALL",)
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    extend_ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[str, ...] = ()
    src: tuple[str, ...] = (".", "src")
    certainty: Certainty = Certainty.LIKELY
    jax_version: str | None = None
    transforms: tuple[tuple[str, str], ...] = field(default=())
    respect_gitignore: bool = True
