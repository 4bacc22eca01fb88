"""What the README shows is what the command prints, and the example folder has what it promises.

`JAXLINT_UPDATE=1 pytest tests/command/test_readme.py` writes the present output into the README.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from tests.command.conftest import Jaxlint

REPOSITORY = Path(__file__).parents[2]
README = REPOSITORY / "README.md"
SHOWN = "```console\n$ jaxlint train.py\n"


def test_the_readme_shows_the_real_output(jaxlint: Jaxlint, project: Path) -> None:
    readme = README.read_text(encoding="utf-8")
    (program,) = re.findall(r"```python\n(.*?)```", readme, re.DOTALL)
    (session,) = re.findall(re.escape(SHOWN) + "(.*?)```", readme, re.DOTALL)
    (project / "train.py").write_text(program)
    out = jaxlint("train.py").out
    if os.environ.get("JAXLINT_UPDATE"):
        README.write_text(readme.replace(SHOWN + session, SHOWN + out), encoding="utf-8")
    assert out == session


def test_the_example_has_its_five_sharp_bits(jaxlint: Jaxlint) -> None:
    outcome = jaxlint(str(REPOSITORY / "examples"), "--output-format", "json")
    assert outcome.code == 1
    assert sorted(row["code"] for row in outcome.rows) == ["JAX101", "JAX107", "JAX201", "JAX301", "JAX401"]
