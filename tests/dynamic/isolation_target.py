"""What the isolation tests run in the workers: as little as possible, so that what they see is isolation alone."""

from __future__ import annotations

import importlib.util
import sys
from types import ModuleType

import jax
import numpy as np

from jaxlint.dynamic.observations import Job, Origin, Outcome, Result, Traced


def prepare(job: Job, end: float) -> None:
    pass


def is_driven() -> bool:
    return any(vars(module).get("DRIVEN") for module in list(sys.modules.values()))


def load(job: Job) -> tuple[ModuleType | None, Result]:
    sys.path[:0] = job.search
    spec = importlib.util.spec_from_file_location(job.module, job.path)
    assert spec is not None
    assert spec.loader is not None
    module = sys.modules[job.module] = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        return None, Result(job.module, "", Outcome.NOT_IMPORTABLE, repr(error))
    return module, Result(job.module, "", Outcome.DONE)


def trace(job: Job, module: ModuleType, qualname: str) -> Result:
    """Trace the function; one whose name begins with "run" is called, and what it returns is the detail."""
    function = getattr(module, qualname)
    if qualname.startswith("run"):
        return Result(job.module, qualname, Outcome.DONE, str(function()))
    jaxpr = jax.make_jaxpr(function)(jax.ShapeDtypeStruct((3,), np.float32))
    traced = Traced(job.module, qualname, Origin.SYNTHESISED, f"{qualname}(x: float32[3])", jaxpr=str(jaxpr))
    return Result(job.module, qualname, Outcome.DONE, traced=[traced])
