"""Which functions jaxlint has something to say of: a row that is like any other one would not be read."""

from __future__ import annotations

from collections.abc import Collection

from jaxlint.semantics import libraries
from jaxlint.semantics.arrays import (
    ARRAY_NAMESPACES,
    COMPUTED_TREES,
    CONSTANTS,
    DTYPES,
    FORWARDED_TREES,
    PUT_ON_DEVICES,
    STATIC_RESULTS,
)
from jaxlint.semantics.host import effect_of
from jaxlint.semantics.host_libraries import HOST_LIBRARIES
from jaxlint.semantics.random import KEY_FUNCTIONS
from jaxlint.semantics.transforms import CALLBACKS, HIGHER_ORDER, WRAPPERS

WITH_CODE_OF_THEIR_OWN = frozenset(
    """
    builtins.object.__setattr__ functools.partial jax.tree_util.Partial jax.util.partial functools.wraps
    functools.lru_cache functools.cache functools.reduce
    dataclasses.replace copy.replace copy.copy copy.deepcopy jax.debug.print
    jax.make_array_from_process_local_data jax.numpy.load jax.new_ref jax.experimental.mutable_array jax.array_ref
    jax.clear_caches jax.core.is_concrete jax.core.trace_state_clean collections.namedtuple
    itertools.dropwhile itertools.filterfalse itertools.takewhile
    builtins.dict.fromkeys collections.OrderedDict collections.defaultdict collections.deque collections.Counter
    queue.LifoQueue queue.PriorityQueue queue.Queue queue.SimpleQueue
    itertools.count itertools.cycle itertools.islice itertools.repeat jax.numpy.dtype numpy.dtype
    time.time time.time_ns time.monotonic time.monotonic_ns time.perf_counter time.perf_counter_ns
    os.environ.update os.environ.setdefault os.putenv jax.config.update
    concurrent.futures.ProcessPoolExecutor concurrent.futures.process.ProcessPoolExecutor
    jax.distributed.initialize json.dump json.dumps multiprocessing.Manager multiprocessing.Pool
    multiprocessing.Process multiprocessing.context.ForkContext.Manager
    multiprocessing.context.ForkContext.Pool multiprocessing.context.ForkContext.Process
    multiprocessing.get_context multiprocessing.pool.Pool os.fork os.forkpty
    datetime.datetime.now datetime.datetime.utcnow timeit.timeit timeit.repeat timeit.Timer timeit.default_timer
    """.split()
)
"""Functions that no table describes: `flow/models/outside/externals.py` has one of its own for each."""

_TABLES: tuple[Collection[str], ...] = (
    *(
        WRAPPERS,
        HIGHER_ORDER,
        CALLBACKS,
        WITH_CODE_OF_THEIR_OWN,
        STATIC_RESULTS,
        COMPUTED_TREES,
        FORWARDED_TREES,
        PUT_ON_DEVICES,
    ),
    *(libraries.WRAPPERS, libraries.HIGHER_ORDER, libraries.CALLBACKS, libraries.KEY_USES, libraries.NEVER_KEYS),
    *(libraries.STREAMS, libraries.FRESH_KEYS, libraries.IMPLICIT_RNG),
    *(libraries.STATIC_RESULTS, libraries.ARRAY_RESULTS),
)
_NO_FUNCTIONS = CONSTANTS - DTYPES
_NAMESPACES = frozenset((*ARRAY_NAMESPACES, "jax.tree", "jax.tree_util"))


def knows(name: str) -> bool:
    """Whether there is anything to say of a function with this qualified name."""
    package, _, short = name.rpartition(".")
    return (
        any(name in table for table in _TABLES)
        or (package in _NAMESPACES and name not in _NO_FUNCTIONS)
        or (package == "jax.random" and short in KEY_FUNCTIONS)
        or package.partition(".")[0] in HOST_LIBRARIES
        or effect_of(name) is not None
    )
