"""How fast findings follow edits: a keystroke in a module of 2,000 lines of a project of 300 files, and the memory.

    python benchmarks/server.py [--files 300] [--lines 2000] [--edits 200] [--memory 10000] [--protocol]

The project is put together from the examples on the rules' cards, with helpers that other modules import and
trace.  Each kind of edit is made some hundred times, as an editor would send it: the whole text, after each key.
What is measured is the time from the change to the findings that the edited file's own functions show, which the
server publishes at once, and (*all*) until everything that depends on the edit is analysed as well.  Times are those
of the processor (on an idle machine, of the clock).  ``--memory`` makes that many edits of all kinds in a row and
prints the resident memory on the way.  With ``--protocol`` the edits go to a `jaxlint server` as an editor sends
them, each as soon as there are diagnostics for the last, and times are from the keystroke to `publishDiagnostics`, by
the clock (they hold the server's 5 ms of waiting for more), with the processor's mean beside them.
"""

from __future__ import annotations

import argparse
import itertools
import random
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from editor import Editor

from jaxlint.running.session import Session
from jaxlint.settings.configuration import Configuration

RULES = Path(__file__).parent.parent / "rules"
SHARED = 12
"""Modules with helpers that the others import."""

HELPERS = '''"""Helpers that other modules trace."""

import jax
import jax.numpy as jnp


def normalise_{n}(x, axis=-1):
    """Zero mean and unit variance."""
    centred = x - jnp.mean(x, axis=axis, keepdims=True)
    return centred / jnp.sqrt(jnp.var(x, axis=axis, keepdims=True) + 1e-6)


def sample_{n}(key, shape, scale=1.0):
    noise = jax.random.normal(key, shape)
    return scale * noise


class Block_{n}:
    def __init__(self, width, rate):
        self.width = width
        self.rate = rate

    def __call__(self, params, x, key):
        hidden = jnp.tanh(normalise_{n}(x) @ params["w"] + params["b"])
        keep = jax.random.bernoulli(key, 1 - self.rate, hidden.shape)
        return jnp.where(keep, hidden / (1 - self.rate), 0)
'''

USER = """
from shared{s} import Block_{s}, normalise_{s}, sample_{s}


def loss_{k}(params, x, y, key):
    block = Block_{s}(128, 0.1)
    noise_key, drop_key = jax.random.split(key)
    x = x + sample_{s}(noise_key, x.shape, 0.1)
    prediction = block(params, normalise_{s}(x), drop_key)
    return jnp.mean((prediction - y) ** 2)


@jax.jit
def step_{k}(params, x, y, key):
    value, grads = jax.value_and_grad(loss_{k})(params, x, y, key)
    params = jax.tree.map(lambda p, g: p - 1e-3 * g, params, grads)
    return params, value
"""


def examples() -> list[str]:
    """The programs on the rules' cards, as text; those about the linter itself do not parse, or are only comments."""
    found = []
    for card in sorted(RULES.glob("JAX[1-9]*.md")):
        for part in card.read_text(encoding="utf-8").split("```python ")[1:]:
            kind, _, rest = part.partition("\n")
            if kind.split()[0] in ("bad", "good") and "# file:" not in rest:
                found.append(rest.partition("```")[0])
    return found


def renamed(text: str, number: int) -> str:
    """The program with names of its own for what it defines, so that several fit into a module."""
    names = re.findall(r"^(?:def|class) (\w+)", text, re.MULTILINE) + re.findall(r"^(\w+) = ", text, re.MULTILINE)
    for name in set(names):
        text = re.sub(rf"\b{name}\b(?!\s*=(?!=)\s*\S+\s*[,)])", f"{name}_{number}", text)
    return text


def module(programs: Iterator[tuple[int, str]], lines: int) -> str:
    """A module of about so many lines: users of shared helpers and programs from the cards."""
    parts = ["import functools\n\nimport jax\nimport jax.numpy as jnp\nimport numpy as np\n"]
    count = 0
    while count < lines:
        number, text = next(programs)
        part = renamed(text, number)
        if number % 3 == 0:
            part += "\n" + USER.format(k=number, s=number % SHARED)
        parts.append(part)
        count += part.count("\n") + 2
    return "\n\n".join(parts)


def write_project(folder: Path, files: int, lines: int) -> Path:
    """Writes the project and returns its large module."""
    programs = enumerate(itertools.cycle(random.Random(0).sample(found := examples(), len(found))))
    (folder / "pyproject.toml").write_text("[tool.jaxlint]\n")
    for number in range(SHARED):
        (folder / f"shared{number}.py").write_text(HELPERS.format(n=number))
    for number in range(files - SHARED - 1):
        (folder / f"module{number}.py").write_text(module(programs, 120))
    large = folder / "large.py"
    large.write_text(module(programs, lines))
    return large


class Typist:
    """Makes edits of one kind after the other; each is a path and the text that its file has afterwards."""

    def __init__(self, large: Path, seed: int = 0) -> None:
        self.large = large
        self.helper = large.parent / "shared3.py"
        self.random = random.Random(seed)
        self.texts = {path: path.read_text() for path in (large, self.helper)}

    def typing(self) -> Iterator[tuple[Path, str]]:
        """A line is typed at the end of a function's body, key by key, and deleted again."""
        text = self.texts[self.large]
        places = [match.end() for match in re.finditer(r"^def .*:\n", text, re.MULTILINE)]
        place = self.random.choice(places)
        typed = "    scale = jnp.tanh(jnp.ones(3)) * 2\n"
        for length in range(5, len(typed)):
            yield self.large, text[:place] + typed[:length] + "\n" + text[place:]
        yield self.large, text

    def lines(self) -> Iterator[tuple[Path, str]]:
        """An empty line, a comment and a statement come between the lines of a function, one after the other."""
        text = self.texts[self.large]
        place = self.random.choice([match.end() for match in re.finditer(r"^def .*:\n", text, re.MULTILINE)])
        for inserted in ("\n", "    # why\n", "    # why\n    count = 1\n", ""):
            yield self.large, text[:place] + inserted + text[place:]

    def definitions(self) -> Iterator[tuple[Path, str]]:
        """A function is added to the module, gets a decorator, a parameter, a caller, and goes."""
        text = self.texts[self.large]
        place = self.random.choice([match.start() for match in re.finditer(r"^def ", text, re.MULTILINE)])
        while text[:place].endswith(")\n") or text[: place - 1].rpartition("\n")[2].startswith("@"):
            place = text.rindex("\n", 0, place - 1) + 1
        for new in (
            "def added(x):\n    return x\n\n\n",
            "@jax.jit\ndef added(x):\n    return x\n\n\n",
            "@jax.jit\ndef added(x, y):\n    return x if y else -x\n\n\n",
            "@jax.jit\ndef added(x, y):\n    return x if y else -x\n\n\ndef caller(x):\n    return added(x, 1)\n\n\n",
            "",
        ):
            yield self.large, text[:place] + new + text[place:]

    def imports(self) -> Iterator[tuple[Path, str]]:
        """An import comes and goes at the top of the module."""
        text = self.texts[self.large]
        yield self.large, "import optax\n" + text
        yield self.large, text

    def helpers(self) -> Iterator[tuple[Path, str]]:
        """The body of a helper changes that other modules trace."""
        text = self.texts[self.helper]
        yield self.helper, text.replace("return scale * noise", "return scale + noise")
        yield self.helper, text

    def signatures(self) -> Iterator[tuple[Path, str]]:
        """A helper that other modules trace gets another default."""
        text = self.texts[self.helper]
        yield self.helper, text.replace("scale=1.0", "scale=2.0")
        yield self.helper, text

    def broken(self) -> Iterator[tuple[Path, str]]:
        """A bracket stays open in one function while a line is typed in another, key by key, and deleted again."""
        text = self.texts[self.large]
        places = [match.end() for match in re.finditer(r"^def .*:\n", text, re.MULTILINE)]
        first, second = sorted(self.random.sample(places, 2))
        typed = "    # and this is why\n"
        for length in range(5, len(typed)):
            yield self.large, f"{text[:first]}    half = (\n{text[first:second]}{typed[:length]}\n{text[second:]}"
        yield self.large, text

    def kinds(self) -> dict[str, Callable[[], Iterator[tuple[Path, str]]]]:
        """What a row of the report is called, and the edits that it measures."""
        return {
            "typing in a function": self.typing,
            "while a line is broken": self.broken,
            "lines in a function": self.lines,
            "functions come and go": self.definitions,
            "an import comes and goes": self.imports,
            "a helper's body": self.helpers,
            "a helper's signature": self.signatures,
        }


def percentile(values: list[float], share: float) -> float:
    return sorted(values)[min(len(values) - 1, int(share * len(values)))]


def resident_mib() -> float:
    status = Path("/proc/self/status").read_text()
    return int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) / 1024


def measure(
    session: Session, edits: Callable[[], Iterator[tuple[Path, str]]], count: int
) -> tuple[list[float], list[float]]:
    """Milliseconds of processor time from each change to the findings of the changed file: its own, and all."""
    own: list[float] = []
    whole: list[float] = []
    while len(own) < count:
        for path, text in edits():
            start = time.process_time()
            session.change(str(path), text)
            session.findings(str(path), fixes=False, prompt=True)
            own.append(1000 * (time.process_time() - start))
            session.findings(str(path), fixes=False)
            whole.append(1000 * (time.process_time() - start))
    return own, whole


def measure_protocol(large: Path, count: int, memory: int) -> None:
    """The same for a server: milliseconds by the clock until the editor has the diagnostics."""
    editor = Editor(large.parent)
    start = time.perf_counter()
    found = editor.open(large)
    print(f"server: {len(found)} findings in {large.name} after {time.perf_counter() - start:.1f} s")
    typist = Typist(large)
    print(f"{'edit':26s}{'p50 ms':>8s}{'p95 ms':>8s}{'max ms':>8s}{'cpu ms':>8s}")
    for name, edits in typist.kinds().items():
        took: list[float] = []
        used = editor.processor_seconds()
        while len(took) < count:
            for path, text in edits():
                start = time.perf_counter()
                editor.change(path, text)
                took.append(1000 * (time.perf_counter() - start))
        used = 1000 * (editor.processor_seconds() - used) / len(took)
        row = (statistics.median(took), percentile(took, 0.95), max(took), used)
        print(f"{name:26s}" + "".join(f"{value:8.0f}" for value in row), flush=True)
    done = 0
    print(f"memory: {editor.resident_mib():.0f} MiB", flush=True)
    while done < memory:
        for edits in typist.kinds().values():
            done += sum(editor.change(path, text) is not None for path, text in edits())
        if done % 1000 < 60:
            print(f"  after {done} edits: {editor.resident_mib():.0f} MiB", flush=True)
    editor.leave()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=int, default=300)
    parser.add_argument("--lines", type=int, default=2000)
    parser.add_argument("--edits", type=int, default=200)
    parser.add_argument("--memory", type=int, default=0)
    parser.add_argument("--protocol", action="store_true", help="measure a server and not only the session in it")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        large = write_project(Path(scratch), options.files, options.lines)
        if options.protocol:
            measure_protocol(large, options.edits, options.memory)
            return
        session = Session(Configuration(scratch))
        start = time.process_time()
        session.open(str(large), large.read_text())
        found = session.all_findings(fixes=False)
        first = time.process_time() - start
        lines = sum(path.read_text().count("\n") for path in Path(scratch).glob("*.py"))
        findings = sum(map(len, found.values()))
        print(f"{len(found)} files, {lines} lines, {findings} findings; first run {first:.1f} s")
        typist = Typist(large)
        print(f"{'edit':26s}{'p50 ms':>8s}{'p95 ms':>8s}{'max ms':>8s}{'all p50':>9s}{'p95':>8s}{'max':>8s}")
        for name, edits in typist.kinds().items():
            measure(session, edits, 5)
            both = measure(session, edits, options.edits)
            row = [value for took in both for value in (statistics.median(took), percentile(took, 0.95), max(took))]
            print(f"{name:26s}" + "".join(f"{value:8.0f}" for value in row), flush=True)
        done = 0
        print(f"memory: {resident_mib():.0f} MiB", flush=True)
        while done < options.memory:
            done += sum(len(measure(session, edits, 1)[0]) for edits in typist.kinds().values())
            if done % 1000 < 60:
                print(f"  after {done} edits: {resident_mib():.0f} MiB", flush=True)


if __name__ == "__main__":
    main()
