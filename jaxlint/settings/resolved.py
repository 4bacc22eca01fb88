"""What the user asked for: the settings of one program, as resolved from configuration and command line."""

from __future__ import annotations

import os
from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from jaxlint.vocabulary.findings import Certainty
from jaxlint.vocabulary.rules import all_rules, codes_selected_by, find_rule

if TYPE_CHECKING:
    from jaxlint.semantics.rows import Row
    from jaxlint.settings.own_rules import OwnRule

DEFAULT_EXCLUDE = (
    ".bzr",
    ".direnv",
    ".eggs",
    ".git",
    ".git-rewrite",
    ".hg",
    ".ipynb_checkpoints",
    ".jaxlint_cache",
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

ALWAYS_ON = frozenset({"JAX001", "JAX002", "JAX004"})
"""A file that was not analysed is said so whatever was selected; only `ignore` silences these."""


@dataclass(frozen=True, slots=True)
class Settings:
    """Every choice the analysis and the report depend on, complete with defaults.

    ``root`` is the folder that ``src`` is relative to: that of the configuration file, or None without one (then the
    program's own root).  ``select`` and ``ignore`` hold selectors as written.  Patterns (``exclude``,
    ``extend_include``, ``per_file_ignores``) are names, or absolute paths or globs.  ``libraries`` are the rows of all
    files that have some.  ``inputs`` has calls that dynamic mode may make, as ("pkg.module:function",
    "(x: float32[3], n=2)").  ``baseline`` is the absolute path of the file with known findings.  ``doctest`` takes in
    the examples of docstrings and of text.  ``rules`` are those of the user's in files, ``untrusted`` those that a
    project has and the user does not allow to be run.
    """

    root: str | None = None
    select: tuple[str, ...] = ("ALL",)
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    extend_ignore: tuple[str, ...] = ()
    per_file_ignores: tuple[tuple[str, tuple[str, ...]], ...] = ()
    exclude: tuple[str, ...] = DEFAULT_EXCLUDE
    extend_exclude: tuple[str, ...] = ()
    extend_include: tuple[str, ...] = ()
    src: tuple[str, ...] = (".", "src")
    certainty: Certainty = Certainty.LIKELY
    preview: bool = False
    jax_version: str | None = None
    transforms: tuple[tuple[str, str], ...] = ()
    libraries: tuple[Row, ...] = ()
    rules: tuple[OwnRule, ...] = ()
    untrusted: tuple[OwnRule, ...] = ()
    respect_gitignore: bool = True
    inputs: tuple[tuple[str, str], ...] = ()
    doctest: bool = False
    baseline: str | None = None
    fix: bool = False
    unsafe_fixes: bool = False
    fixable: tuple[str, ...] = ("ALL",)
    unfixable: tuple[str, ...] = ()

    def may_fix(self, code: str) -> bool:
        """Whether findings of a rule may be fixed: the most specific selector that names it decides."""
        return _specificity(code, self.fixable) > _specificity(code, self.unfixable)

    def enables(self, code: str, path: str) -> bool:
        """Whether a rule is on for a file: the most specific selector that names it decides, `ignore` on a tie.  One in
        preview is on only where ``preview`` is."""
        ignored = _specificity(code, (*self.ignore, *self.extend_ignore, *self._ignored_in(path)))
        if code in ALWAYS_ON:
            return ignored <= 0
        if any(rule.code == code for rule in self.untrusted):
            return False
        rule = all_rules().get(code)
        if rule is not None and rule.is_preview and not self.preview:
            return False
        return _specificity(code, (*self.select, *self.extend_select)) > ignored

    def _ignored_in(self, path: str) -> tuple[str, ...]:
        return tuple(
            selector
            for pattern, selectors in self.per_file_ignores
            if pattern_matches(pattern, path)
            for selector in selectors
        )


def pattern_matches(pattern: str, path: str) -> bool:
    """Whether a pattern names this absolute path: by the name alone, or by the whole path."""
    subject = path if os.sep in pattern else os.path.basename(path)
    return (
        pattern == subject
        or fnmatchcase(subject, pattern)
        or ("/**/" in pattern and fnmatchcase(subject, pattern.replace("/**/", "/")))  # also no folder in between
    )


def _specificity(code: str, selectors: tuple[str, ...]) -> int:
    """How closely the closest of the selectors names the code: 0 for ALL, its length for a prefix, -1 for none."""
    return max((_closeness(code, selector) for selector in selectors), default=-1)


def _closeness(code: str, selector: str) -> int:
    if selector == "ALL":
        return 0
    if code.startswith(selector):
        return len(selector)
    rule = find_rule(selector)
    return len(code) if rule is not None and rule.code == code else -1


def is_selector(text: str) -> bool:
    """Whether the text names at least one rule: a code, the beginning of one, a name, or `ALL`."""
    return bool(codes_selected_by(text))
