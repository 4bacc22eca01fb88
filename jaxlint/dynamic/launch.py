"""How a process that runs user code is started: which Python, which jaxlint, which environment.

The Python may be that of another environment, one that has the user's packages and jax but no jaxlint. So the
process is told where this package lies and loads it from there; nothing else beside it becomes importable.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

GIB = 1 << 30


@dataclass(frozen=True, slots=True)
class Options:
    """How dynamic mode runs; the same in all of its processes."""

    platform: str = "cpu"
    lower_for: tuple[str, ...] = ()  # platforms that what was traced is lowered for: cuda, rocm, tpu
    timeout: float = 30.0  # seconds for one import or one target
    budget: float | None = None  # seconds for the whole run
    workers: int = 2
    python: str = sys.executable
    memory: int = 8 * GIB  # bytes that one worker may hold
    fork: bool = hasattr(os, "fork")  # without it each target has a process of its own, which imports jax anew
    target: str = "jaxlint.dynamic.target"  # the module whose `load` and `trace` do the work
    boundary: bool = True  # what the kernel has to hold user code back is used

    def to_json(self) -> str:
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, text: str) -> Options:
        return cls(**json.loads(text))


_PACKAGE = Path(__file__).resolve().parents[1]

# An empty first entry of sys.path is the working directory, which is none of the worker's business.
_BOOTSTRAP = """\
import sys, importlib, importlib.util
sys.path[:] = [folder for folder in sys.path if folder]
package, entry = sys.argv[1:3]
spec = importlib.util.spec_from_file_location(
    "jaxlint", package + "/__init__.py", submodule_search_locations=[package])
sys.modules["jaxlint"] = module = importlib.util.module_from_spec(spec)
spec.loader.exec_module(module)
importlib.import_module(entry).main(sys.argv[3:])
"""


def command(python: str, entry: str, *arguments: str) -> list[str]:
    """The command line that runs `main(arguments)` of the module ``entry`` of this very package."""
    return [python, "-c", _BOOTSTRAP, str(_PACKAGE), entry, *arguments]


def environment(options: Options, inherited: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The variables a worker starts with. HOME is still the user's: what is installed there is found by it."""
    own = dict(inherited)
    # A relative entry means the folder the command was started in, and the worker is elsewhere.
    if own.get("PYTHONPATH"):
        own["PYTHONPATH"] = os.pathsep.join(os.path.abspath(folder) for folder in own["PYTHONPATH"].split(os.pathsep))
    own.update(_ALWAYS)
    # Callbacks to the host (`jax.debug.print`, `jax.pure_callback`) need its own platform beside the other.
    own["JAX_PLATFORMS"] = ",".join(dict.fromkeys((options.platform, "cpu")))
    return own


_ALWAYS = {
    "JAX_DISABLE_MOST_OPTIMIZATIONS": "1",  # nobody waits for what is computed
    # Nobody reads the tracebacks, and for each frame that JAX takes out of one it asks the disk about many folders.
    "JAX_TRACEBACK_FILTERING": "off",
    "XLA_PYTHON_CLIENT_PREALLOCATE": "false",
    "WANDB_MODE": "disabled",
    "MPLBACKEND": "Agg",
    # Without a screen; looking for one starts a process.
    "MUJOCO_GL": "disable",
    "SDL_VIDEODRIVER": "dummy",
    "SDL_AUDIODRIVER": "dummy",
    "PYTHONHASHSEED": "0",
    "PYTHONDONTWRITEBYTECODE": "1",
    # NumPy's BLAS starts a thread a core at import, and a process with threads cannot be forked safely.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
