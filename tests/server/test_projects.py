"""A check's first step: what an edit shows in its own file, before the files that depend on it are looked at."""

from __future__ import annotations

from pathlib import Path

from jaxlint.project.documents import Document
from jaxlint.server.options import Options
from jaxlint.server.projects import Buffer, Checked, Part, Projects
from jaxlint.server.worker import Token

HELPER = "import jax\n\ndef show(x):\n    return x\n\n@jax.jit\ndef own(x):\n    return x\n"
CALLER = "import jax\nfrom helper import show\n\n@jax.jit\ndef run(x):\n    return show(x)\n"


def codes(checked: Checked) -> list[tuple[int, str]]:
    return [(finding.location.line, finding.code) for finding in checked.findings]


def test_what_the_edited_file_shows_comes_before_what_others_do_with_it(tmp_path: Path) -> None:
    projects = Projects()
    projects.configure({str(tmp_path): Options(), "": Options()}, "utf-16")
    uris = {name: (tmp_path / name).as_uri() for name in ("helper.py", "main.py")}

    def write(name: str, text: str, version: int) -> None:
        path = tmp_path / name
        path.write_text(text)
        projects.write(Buffer(Document(str(path), text), {0: Part(uris[name], version)}))

    write("helper.py", HELPER, 1)
    write("main.py", CALLER, 1)
    assert projects.check_edited(Token()) == {}, "a program that was never read is read as a whole"
    assert all(codes(checked) == [] for checked in projects.check(Token()).texts.values())

    write("helper.py", HELPER.replace("return x", "print(x)"), 2)
    early = projects.check_edited(Token())
    assert {uri: (one.version, codes(one)) for uri, one in early.items()} == {uris["helper.py"]: (2, [(8, "JAX101")])}
    whole = projects.check(Token()).texts
    assert codes(whole[uris["helper.py"]]) == [(4, "JAX101"), (8, "JAX101")]
    assert projects.check_edited(Token()) == {}, "nothing was edited since"
