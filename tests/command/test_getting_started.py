"""What `docs/getting-started.md` shows is what the command prints, one command after the other.

`JAXLINT_UPDATE=1 pytest tests/command/test_getting_started.py` writes the present output into the page.
"""

from __future__ import annotations

import os
import re
import shlex
from pathlib import Path

from tests.command.conftest import Jaxlint

PAGE = Path(__file__).parents[2] / "docs" / "getting-started.md"


def test_the_page_shows_the_real_output(jaxlint: Jaxlint, project: Path) -> None:
    page = PAGE.read_text(encoding="utf-8")
    program = re.search(r"```python\n(.*?)```", page, re.DOTALL)
    assert program is not None
    (project / "train.py").write_text(program[1])

    def printed(command: re.Match[str]) -> str:
        outcome = jaxlint(*shlex.split(command[1]))
        return f"$ jaxlint{command[1]}\n{outcome.out}{outcome.err}"

    def session(block: re.Match[str]) -> str:
        return re.sub(r"^\$ jaxlint(.*)\n(?:(?!\$ ).*\n)*", printed, block[0].removesuffix("```"), flags=re.M) + "```"

    shown = re.sub(r"```console\n.*?```", session, page, flags=re.DOTALL)
    if os.environ.get("JAXLINT_UPDATE"):
        PAGE.write_text(shown, encoding="utf-8")
    assert shown == page
