"""A program that sets `jax_enable_x64`, or asks for it, knows what becomes of dtypes of 64 bits."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator

from jaxlint.project.precision import is_told_of_x64, with_x64
from jaxlint.project.program import Program
from jaxlint.vocabulary.findings import Finding


def without_x64(
    findings: Iterable[Finding], program: Program, is_told: Callable[[Program], bool] = is_told_of_x64
) -> Iterator[Finding]:
    """The findings, without those that are right only while numbers have 32 bits in modules that may run with code that
    names the setting; in none of them if a file beside the program (``is_told``) does."""
    wide: Collection[str] | None = None
    for finding in findings:
        if finding.narrow:
            if wide is None:
                wide = program.modules if is_told(program) else with_x64(program)
            module = program.at(finding.path)
            if module is None or module.name in wide:
                continue
        yield finding
