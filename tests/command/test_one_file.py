"""A file that is linted alone has the findings that it has with its project, whoever leads to them."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest

from jaxlint.flow.engine.entries import Engine
from tests.command.conftest import Jaxlint

Write = Callable[[dict[str, str]], None]

CONCISE = ("--no-cache", "--output-format", "concise")

SIGN = "def sign(x):\n    if x > 0:\n        return 1\n    return -1\n"
JITTED = "\n\n@jax.jit\ndef step(x):\n    return {call}(x)\n"

PROJECTS = {
    "a helper that another file calls under a trace": {
        "helper.py": SIGN,
        "main.py": "import jax\nfrom helper import sign\n" + JITTED.format(call="sign"),
    },
    "over a package that hands it on": {
        "lib/__init__.py": "from lib.parts import sign\n",
        "lib/parts.py": SIGN,
        "main.py": "import jax\nimport lib\n" + JITTED.format(call="lib.sign"),
    },
    "a part of a package that somebody else imports": {
        "lib/__init__.py": "",
        "lib/parts.py": SIGN,
        "main.py": "import jax\nimport lib\n" + JITTED.format(call="lib.parts.sign"),
        "other.py": "import lib.parts\n",
    },
    "a method that the class above calls": {
        "base.py": "import jax\n\n\nclass Base:\n    def run(self, x):\n        return jax.jit(self.sign)(x)\n"
        "\n    def sign(self, x):\n        return x\n",
        "asked.py": "from base import Base\n\n\nclass Own(Base):\n    def sign(self, x):\n"
        "        if x > 0:\n            return 1\n        return -1\n",
        "main.py": "import asked\n\nasked.Own().run(1.0)\n",
    },
    "a function that is put into another module's table": {
        "table.py": "import jax\n\nTABLE = {}\n\n\ndef register(f):\n    TABLE[f.__name__] = f\n    return f\n"
        '\n\ndef run(x):\n    return jax.jit(TABLE["sign"])(x)\n',
        "asked.py": "from table import register\n\n\n@register\n" + SIGN,
        "main.py": "import asked\nimport table\n\ntable.run(1.0)\n",
    },
    "a key that an object keeps for several callers": {
        "noise.py": "import jax\n\n\nclass Noise:\n    def __init__(self, seed):\n"
        "        self.key = jax.random.key(seed)\n\n    def draw(self):\n"
        "        return jax.random.normal(self.key)\n",
        "first.py": "from noise import Noise\n\n\ndef first():\n    noise = Noise(0)\n"
        "    return noise.draw() + noise.draw()\n",
        "second.py": "from noise import Noise\n\n\ndef second():\n    noise = Noise(1)\n"
        "    return noise.draw() + noise.draw()\n",
    },
}


def lines(outcome: Iterable[str], file: str) -> list[str]:
    return [line for line in outcome if line.startswith(f"{file}:")]


@pytest.mark.parametrize("files", PROJECTS.values(), ids=PROJECTS)
def test_alone_as_with_the_others(jaxlint: Jaxlint, write: Write, files: dict[str, str]) -> None:
    write(files)
    whole = jaxlint(*CONCISE).out.splitlines()
    found = [file for file in files if lines(whole, file)]
    assert found
    for file in files:
        assert lines(jaxlint(*CONCISE, file).out.splitlines(), file) == lines(whole, file), file


def test_what_cannot_lead_to_a_file_is_not_analysed(
    jaxlint: Jaxlint, write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only by the time it takes could somebody see that: so the analysis is asked."""
    ran: list[str] = []
    run_units = Engine.run_units

    def noting(self: Engine, names: Iterable[str]) -> None:
        ran.extend(names := list(names))
        run_units(self, names)

    monkeypatch.setattr(Engine, "run_units", noting)
    script = "import jax\nfrom helper import sign\n" + JITTED.format(call="sign")
    write({"helper.py": SIGN, "one.py": script, "two.py": script})
    jaxlint("--no-cache", "one.py")
    assert ran == ["one"]
    ran.clear()
    jaxlint("--no-cache", "helper.py")
    assert sorted(ran) == ["helper", "one", "two"]
