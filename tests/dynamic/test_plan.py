"""What is traced first: the functions that findings are in, and modules that need little of the project."""

from __future__ import annotations

from pathlib import Path

from jaxlint.api import Settings
from jaxlint.dynamic.plan import plan
from jaxlint.project.program import load_program
from jaxlint.vocabulary.findings import Finding, Location, Related

FILES = {
    "app/__init__.py": "from app import agent, env\n",
    "app/agent.py": "from app import env\n\ndef train(key):\n    return env.reset(key)\n",
    "app/env.py": "from app import grid\n\ndef step(k):\n    return k\n\ndef reset(k):\n    return grid.at(k)\n",
    "app/grid.py": "def at(key):\n    return key\n",
}


def finding(folder: Path, file: str, line: int, *related: Related) -> Finding:
    place = Location(str(folder / file), line, 5, line, 10)
    return Finding("JAX401", "key-reused", "a key", place, related=related)


def test_what_a_finding_is_in_comes_first_and_what_needs_little_before_what_needs_much(tmp_path: Path) -> None:
    for name, text in FILES.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    program = load_program(str(tmp_path), Settings(), [str(tmp_path / name) for name in FILES], {})
    named = Related(Location(str(tmp_path / "app/grid.py"), 2, 5, 2, 10), "it is drawn from here")
    also = Related(Location(str(tmp_path / "app/env.py"), 4, 5, 4, 10), "and here")
    found = [finding(tmp_path, "app/agent.py", 4), finding(tmp_path, "app/env.py", 7, also, named)]
    jobs = plan(program, found).jobs
    assert [(job.module, job.targets) for job in jobs] == [
        ("app.env", ("reset", "step")),
        ("app.agent", ("train",)),
        ("app.grid", ("at",)),
    ]
