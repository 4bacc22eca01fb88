"""A text as `--fix` leaves it."""

from __future__ import annotations

from textwrap import dedent

from jaxlint.api import Certainty, Settings, lint_source
from jaxlint.fixes.apply import apply
from jaxlint.project.documents import Document

_SHOWN = Settings(certainty=Certainty.POSSIBLE, preview=True)


def fixed(text: str, *codes: str, unsafe: bool = True) -> str:
    """``text``, dedented, with the fixes of these rules until none is left to make."""
    document = Document("program.py", dedent(text).lstrip("\n"))
    for _ in range(10):
        findings = [
            finding
            for finding in lint_source(document.text, settings=_SHOWN)
            if finding.code in codes and finding.fix is not None and (unsafe or finding.fix.applicability.is_safe)
        ]
        after, applied = apply(document, findings)
        if not applied:
            return document.text
        document = after
    raise AssertionError("ten passes were not enough")


def fixed_body(body: str, *codes: str, unsafe: bool = True, head: str = "@jax.jit\ndef f(x, y, n):") -> str:
    """The lines of a traced function's body as they are afterwards, dedented; imports are not shown."""
    start = f"import jax\nimport jax.numpy as jnp\nimport numpy as np\n\n\n{head}\n"
    lines = dedent(body).strip("\n").splitlines()
    text = start + "".join(f"    {line}\n" if line else "\n" for line in lines)
    after = fixed(text, *codes, unsafe=unsafe)
    return dedent(after.partition(f"{head}\n")[2]).rstrip("\n")
