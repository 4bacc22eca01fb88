"""Whether a script gives something to the modules that it imports: rules of derivatives, an entry of a registry."""

from pathlib import Path

import pytest

from jaxlint.project.gives_to_others import gives_to_others
from jaxlint.project.program import load_program
from jaxlint.settings.resolved import Settings

LAYERS = "import jax\nREGISTRY = {}\npower = jax.custom_vjp(lambda x: x)\ndef register(one): ...\n"


@pytest.mark.parametrize(
    ("script", "gives"),
    [
        ("from layers import power\npower.defvjp(abs, abs)\n", True),
        ("from . import layers\nlayers.power.defvjp(abs, abs)\n", True),
        ("import layers\nlayers.power.defvjp(abs, abs)\n", True),
        ("from layers import power, register\nregister(power)\n", True),
        ("from layers import power\n@power.defjvp\ndef rule(p, t): ...\n", True),
        ("import layers\nlayers.register(1)\n", False),  # a function of the module, which keeps what it likes
        ("from . import layers\nlayers.register(1)\n", False),
        ("import layers\nx = layers.power.defvjp(abs, abs)\n", False),
        ("from layers import power\nprint(power(1.0))\n", False),
        ("import jax\nf = jax.custom_vjp(abs)\nf.defvjp(abs, abs)\n", False),  # its own
        ("from layers import power\ndef main():\n    power.defvjp(abs, abs)\n", False),
    ],
)
def test_scripts(script: str, gives: bool, tmp_path: Path) -> None:
    (tmp_path / "layers.py").write_text(LAYERS)
    (tmp_path / "script.py").write_text(script)
    program = load_program(str(tmp_path), Settings(), [str(tmp_path / "script.py")], {})
    assert gives_to_others(program, program.modules["script"]) is gives
