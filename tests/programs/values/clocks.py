# Looks at the clock, and what JAX has begun and nobody has waited for.
import time
import timeit
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

square = jax.jit(lambda x: x @ x)

# --- a helper begins the work
def run(x):
    return square(x)

def main(x=np.eye(3)):
    start = time.time()
    y = run(x)
    return y, time.time() - start  # JAX509

# --- a helper waits
def run(x):
    return square(x).block_until_ready()

def main(x=np.eye(3)):
    start = time.time()
    run(x)
    return time.time() - start

# --- a method begins the work, and the start is kept in the object
class Bench:
    def __init__(self):
        self.step = jax.jit(self._step)

    def _step(self, x):
        return x @ x

    def run(self, x):
        self.start = time.perf_counter()
        y = self.step(x)
        return y, time.perf_counter() - self.start  # JAX509

def main():
    return Bench().run(np.eye(3))

# --- an object keeps a compiled closure
class Bench:
    def __init__(self, scale):
        def step(x):
            return scale * x @ x

        self.step = jax.jit(step)

    def run(self, x):
        start = time.perf_counter()
        y = self.step(x)
        return y, time.perf_counter() - start  # JAX509

    def wait(self, x):
        start = time.perf_counter()
        y = jax.block_until_ready(self.step(x))
        return y, time.perf_counter() - start

def main():
    return Bench(2.0).run(np.eye(3)), Bench(2.0).wait(np.eye(3))

# --- a loop that looks at the clock in each pass
def main():
    x, start = np.eye(3), time.time()
    for _ in range(3):
        x = square(x)
        print(time.time() - start)  # JAX509
        start = time.time()

# --- a loop that waits in each pass, and leaves a rest
def main():
    x, start = jnp.eye(3), time.time()
    for _ in range(3):
        x = square(x)
        if x.sum() > 100:
            break
        x = square(x)
    return time.time() - start

# --- a loop that is timed as a whole
def main():
    x, start = np.eye(3), time.time()
    for _ in range(3):
        x = square(x)
    return x, time.time() - start  # JAX509

# --- a loop in which each result is looked at
def main():
    x, start, sums = np.eye(3), time.time(), []
    for _ in range(3):
        x = square(x)
        sums.append(float(x.sum()))
    return time.time() - start

# --- what is set up before the clock is read is none of its business
def main():
    x = square(np.eye(3))
    start = time.time()
    rows = list(range(100))
    return x, rows, time.time() - start

# --- a module that times at its top
start = time.time()
y = square(np.eye(3))
elapsed = time.time() - start  # JAX509

def main():
    return elapsed

# --- a module that waits at its top
start = time.time()
y = square(np.eye(3))
y.block_until_ready()
elapsed = time.time() - start

def main():
    return elapsed

# --- a gradient that is timed
def main():
    start = time.time()
    y = jax.value_and_grad(lambda x: (x @ x).sum())(jnp.eye(3))
    return y, time.time() - start  # JAX509

# --- what an outer function is given is timed
def timed(function, *args):
    start = time.time()
    result = function(*args)
    return result, time.time() - start  # JAX509

def main():
    return timed(square, np.eye(3))

# --- timeit of a partial, of a lambda, and of one that waits
def main():
    x = np.eye(3)
    first = timeit.timeit(partial(square, x), number=1)  # JAX509
    second = min(timeit.repeat(lambda: square(x), number=1, repeat=2))  # JAX509
    return first, second, timeit.timeit(lambda: square(x).block_until_ready(), number=1)

# --- results fetched together
def main():
    start = time.time()
    ys = [square(np.eye(n)) for n in (2, 3)]
    host = jax.device_get(ys)
    return host, time.time() - start

# --- leaves that NumPy makes its own
def main():
    start = time.time()
    host = jax.tree.map(np.asarray, {"y": square(np.eye(3))})
    return host, time.time() - start

# --- leaves that wait by a method that a leaf may have
def wait(value):
    for leaf in jax.tree.leaves(value):
        block = getattr(leaf, "block_until_ready", None)
        if block is not None:
            block()

def main(x=np.eye(3)):
    start = time.time()
    y = square(x)
    wait(y)
    there = time.time() - start
    y = square(jnp.ones((2, 2)))
    getattr(y, "block_until_ready", print)()
    return y, there, time.time() - start

# --- a method that a leaf may have is looked for, and that is all
def count(value):
    waiting = 0
    for leaf in jax.tree.leaves(value):
        block = getattr(leaf, "block_until_ready", None)
        if block is not None:
            waiting += 1
    return waiting

def main(x=np.eye(3)):
    start = time.time()
    y = square(x)
    waiting = count(y)
    return y, waiting, time.time() - start  # JAX509

# --- a result stored in a NumPy array
def main():
    out, start = np.zeros((3, 3)), time.time()
    out[:] = square(np.eye(3))
    return out, time.time() - start

# --- a deadline
def main():
    x, start = np.eye(3), time.monotonic()
    while True:
        x = square(x)
        elapsed = time.monotonic() - start
        if elapsed > 0.001:
            return x

# --- the clock under a trace is another matter
@jax.jit
def traced(x):
    start = time.time()  # JAX103
    y = square(x)
    return y * (time.time() - start)  # JAX103

def main():
    return traced(np.eye(3))

# --- what has been compiled ahead of time
def main():
    x = np.eye(3)
    compiled = square.lower(x).compile()
    start = time.time()
    y = compiled(x)
    return y, time.time() - start  # JAX509

# --- what has been compiled ahead of time is waited for
def main():
    x = np.eye(3)
    compiled = square.lower(x).compile()
    start = time.time()
    compiled(x).block_until_ready()
    return time.time() - start

# --- one time that is used twice, and the time between two callbacks
@jax.jit
def square(x):
    return x @ x

def measure(x):
    start = time.time()
    y = square(x)
    end = time.time()  # JAX509
    print("seconds", end - start)
    return y, 1 / (end - start)

def train(x):
    last = time.time()

    def report(total):
        nonlocal last
        now = time.time()
        print(now - last, total)
        last = now

    def step(x, _):
        jax.debug.callback(report, x.sum())
        return square(x), None

    return jax.lax.scan(step, x, None, 3)

def main():
    measure(jnp.ones((2, 2)))
    train(jnp.ones((2, 2)))

# --- a wait for what is an array unless a loop has no pass
def add(x, n):
    i = 0
    while i < n:
        i = square(jnp.eye(3)).sum() + i
    return x + i

def main():
    start = time.time()
    add(10, 20).block_until_ready()
    return time.time() - start

# --- helpers look at the clock
def now():
    return time.perf_counter()

def main(x=np.eye(3)):
    start = now()
    y = square(x)
    end = now()  # JAX509
    return y, end - start

# --- helpers look at the clock, one when the work is begun and one when it is done
def begin(x):
    y = square(x)
    return time.perf_counter(), y

def end(y):
    y.block_until_ready()
    return time.perf_counter()

def main(x=np.eye(3)):
    start, y = begin(x)
    seconds = time.perf_counter() - start
    start = time.perf_counter()
    square(x)
    return end(y) - start, seconds

# --- a helper is given when the work began
def show(start):
    print(time.perf_counter() - start)  # JAX509

def main(x=np.eye(3)):
    start = time.perf_counter()
    y = square(x)
    show(start)
    return y

# --- a helper is given when the work began, and waits or is called too early
def show(start, y):
    y.block_until_ready()
    print(time.perf_counter() - start)

def note(start):
    print(time.perf_counter() - start)

def main(x=np.eye(3)):
    start = time.perf_counter()
    note(start)
    y = square(x)
    show(start, y)
    note(start)

# --- an object keeps when it was made
class Timer:
    def __init__(self):
        self.start = time.perf_counter()

    def seconds(self):
        return time.perf_counter() - self.start  # JAX509

def main(x=np.eye(3)):
    timer = Timer()
    y = square(x)
    return y, timer.seconds()

# --- an object keeps when it was made, and is asked when the work is done
class Timer:
    def __init__(self):
        self.start = time.perf_counter()

    def seconds(self):
        return time.perf_counter() - self.start

def main(x=np.eye(3)):
    timer = Timer()
    y = square(x)
    y.block_until_ready()
    return y, timer.seconds()

# --- helpers say how long it has been, and that is held against a limit
def since(start):
    return time.monotonic() - start

def step(x, start):
    x = square(x)
    elapsed = time.monotonic() - start
    return x, elapsed

def main():
    x, start = np.eye(3), time.monotonic()
    while since(start) < 0.001:
        x = square(x)
    while True:
        x, elapsed = step(x, start)
        if elapsed > 0.001:
            return x

# --- a decorator times what it is put on, which nobody is seen to call
import functools

def timed(function):
    @functools.wraps(function)
    def run(*args):
        start = time.perf_counter()
        result = function(*args)
        run.times.append(time.perf_counter() - start)  # JAX509
        return result

    run.times = []
    return run

@timed
@jax.jit
def gram(x):
    return x @ x.T

def main():
    globals()["gram"](np.eye(3))

# --- a decorator that waits, and one on what the host computes
import functools

def timed(function):
    @functools.wraps(function)
    def run(*args):
        start = time.perf_counter()
        result = jax.block_until_ready(function(*args))
        run.times.append(time.perf_counter() - start)
        return result

    run.times = []
    return run

def timed_on_host(function):
    def run(*args):
        start = time.perf_counter()
        result = function(*args)
        return result, time.perf_counter() - start

    return run

@timed
@jax.jit
def gram(x):
    return x @ x.T

@timed_on_host
def load(path):
    return np.zeros(len(path))

def main():
    globals()["gram"](np.eye(3)), load("path")

# --- a generator times the block
import contextlib

@contextlib.contextmanager
def timer(store, name):
    start = time.perf_counter()
    try:
        yield
    finally:
        elapsed = time.perf_counter()
        store[name] = elapsed - start

def run(x, store):
    with timer(store, "square"):  # JAX509
        square(x)
    return store

def main(x=np.eye(3)):
    return run(x, {})

# --- the block waits, or the generator does, or there is a limit
import contextlib

@contextlib.contextmanager
def timer(store):
    start = time.perf_counter()
    yield store
    store.append(time.perf_counter() - start)

@contextlib.contextmanager
def waiting(store):
    start, made = time.perf_counter(), []
    yield made
    jax.block_until_ready(made)
    store.append(time.perf_counter() - start)

@contextlib.contextmanager
def limited(seconds):
    start = time.perf_counter()
    yield
    if time.perf_counter() - start > seconds:
        raise TimeoutError

def main(x=np.eye(3), store=()):
    store = list(store)
    y = square(x)
    with timer(store):
        square(y).block_until_ready()
    with waiting(store) as made:
        made.append(square(x))
    with limited(60):
        square(x)
    with timer(store):
        sum(range(1000))
    return store

# --- the time of making a compiled function and a batch
def make_step(scale):
    return jax.jit(lambda x: x * scale)

def load(n):
    return [float(i) for i in range(n)]

def main():
    start = time.perf_counter()
    step = make_step(2.0)
    data = load(10)
    return time.perf_counter() - start, step, data

# --- the time of making a compiled function by one that does more
def make_step(n):
    table = [float(i) for i in range(n)]
    return jax.jit(lambda x: x * sum(table))

def main():
    start = time.perf_counter()
    step = make_step(10)
    return time.perf_counter() - start, step

# --- the time of making two compiled functions
def main():
    start = time.perf_counter()
    train = jax.jit(lambda x: x + 1)
    evaluate = jax.jit(lambda x: x - 1)
    seconds = time.perf_counter() - start  # JAX509
    return seconds, train, evaluate

# --- timeit of a function that only makes a compiled one
def main():
    return timeit.timeit(lambda: jax.jit(lambda x: x + 1), number=2)  # JAX509

# --- the time in which a compiled function is only made
def make_step(scale):
    @jax.jit
    def step(x):
        return x * scale

    return step

def compile_step(scale):
    start = time.perf_counter()
    step = make_step(scale)
    seconds = time.perf_counter() - start  # JAX509
    return step, seconds

def main():
    return compile_step(2.0)[0](1.0)

# --- equinox waits for what it has compiled
import equinox as eqx

square = eqx.filter_jit(lambda x: x @ x)

def main(x=np.eye(3)):
    start = time.time()
    y = square(x)
    return y, time.time() - start

# --- a function that is only timed while it is traced
def make_train(n):
    def body(c, x):
        return c @ c, x

    def train(x):
        start = time.time()  # JAX103
        y, _ = jax.lax.scan(body, x, None, n)
        seconds = time.time() - start  # JAX103
        return y + seconds

    return train

def main():
    return jax.jit(jax.vmap(make_train(3)))(jnp.ones((2, 3, 3)))

# --- either of two compiled functions
def main(x=np.eye(3), many=True):
    update = jax.pmap(lambda x: x @ x) if many else jax.jit(lambda x: x @ x)
    start = time.time()
    y = update(x[None] if many else x)
    return y, time.time() - start  # JAX509

# --- either of two compilations of a function that nobody knows
def fit(function, x, many):
    if many:
        update = jax.vmap(function)
    else:
        update = jax.jit(function)
    start = time.time()
    y = update(x)
    return y, time.time() - start  # JAX509

def main():
    return fit(jnp.linalg.inv, jnp.eye(3)[None], True)

# --- a compiled function of one that nobody knows, or one that waits
def fit(function, x, wait):
    update = (lambda x: jax.block_until_ready(function(x))) if wait else jax.jit(function)
    start = time.time()
    y = update(x)
    return y, time.time() - start

def main():
    return fit(jnp.linalg.inv, jnp.eye(3), True)

# --- a compiled function, or that of a library of the host
def fit(function, x, small):
    update = np.linalg.inv if small else jax.jit(function)
    start = time.time()
    y = update(x)
    return y, time.time() - start

def main():
    return fit(jnp.linalg.inv, np.eye(3), True)

# --- another thread waits, and this one for that
import queue
import threading

def drained(results):
    while (result := results.get()) is not None:
        np.asarray(result[1])

def timed(x, results):
    thread = threading.Thread(target=drained, args=(results,))
    thread.start()
    start = time.perf_counter()
    results.put((1, square(x)))
    results.put(None)
    thread.join()
    return time.perf_counter() - start

def told(results, done):
    np.asarray(results.get()[1])
    done.set()

def timed_by_event(x):
    results, done = queue.Queue(), threading.Event()
    threading.Thread(target=told, args=(results, done)).start()
    start = time.perf_counter()
    results.put((1, square(x)))
    done.wait()
    return time.perf_counter() - start

def handed_on(x, results):
    start = time.perf_counter()
    results.put((1, square(x)))
    return time.perf_counter() - start  # JAX509

def main(x=np.eye(3)):
    timed_by_event(x)
    return timed(x, queue.Queue()), handed_on(x, queue.Queue())
