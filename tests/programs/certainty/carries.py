# Carries of loops whose structure, shape or dtype changes, what maps give, and what only looks like it.

import jax
import jax.numpy as jnp

# --- quotient of what nobody knows is no whole number
def power_iteration(a, n):
    v = jnp.ones(a.shape[0], dtype=jnp.int32)

    def body(i, v):
        w = a @ v
        return w / jnp.linalg.norm(w)  # JAX702 certain

    return jax.lax.fori_loop(0, n, body, v)

# --- quotient that may be complex
def evolve(hamiltonian, psi):
    state = jnp.ones(4, dtype=jnp.complex64)

    def body(i, state):
        state = hamiltonian @ state
        return state / jnp.linalg.norm(state)

    return jax.lax.fori_loop(0, 10, body, state)

# --- number of Python that becomes what the body makes of it
def mean(xs):
    def body(carry, x):
        total, count = carry
        return (total + x / 2, count + 1), None

    return jax.lax.scan(body, (0, 0), xs)

# --- body of another function, which keeps the carry
def advance(state, dt):
    return {"position": state["position"] + dt * state["velocity"], "velocity": state["velocity"]}

def simulate(steps):
    state = {"position": jnp.zeros(3), "velocity": jnp.ones(3)}
    return jax.lax.scan(lambda state, dt: (advance(state, dt), state["position"]), state, steps)

# --- body of another function, which forgets a part of the carry
def advance(state, dt):
    return {"position": state["position"] + dt * state["velocity"]}

def simulate(steps):
    state = {"position": jnp.zeros(3), "velocity": jnp.ones(3)}
    return jax.lax.scan(lambda state, dt: (advance(state, dt), None), state, steps)  # JAX702 certain

# --- named tuple that is made anew
from typing import NamedTuple

class State(NamedTuple):
    x: jax.Array
    steps: int

def walk(xs):
    def body(state, x):
        return State(state.x + x, state.steps + 1), None

    return jax.lax.scan(body, State(jnp.zeros(()), 0), xs)

# --- list that comes back as a tuple
def walk(xs):
    def body(carry, x):
        total, largest = carry
        return (total + x, jnp.maximum(largest, x)), None  # JAX702 certain

    return jax.lax.scan(body, [0.0, 0.0], xs)

# --- carry that is None until the first pass
def last(xs):
    return jax.lax.scan(lambda seen, x: (x * 2.0, None), None, xs)  # JAX702 certain

# --- map over an axis that is not the first
def columns(table):
    total = jax.vmap(lambda column: column.sum(), in_axes=1)(jnp.ones((3, 4)))
    return total[3]

# --- what all lanes share keeps its shape
def both(xs):
    state, ys = jax.vmap(lambda s, x: (s, x * s), in_axes=(None, 0), out_axes=(None, 0))(jnp.ones(3), xs)
    return state[2] + ys

# --- sizes that a condition has asked for
def area(vertices):
    vertices = jnp.asarray(vertices)
    if vertices.shape != (3, 2):
        raise ValueError("three points")
    return vertices[2, 0]

def main():
    try:
        return area(jnp.zeros((2, 2)))
    except ValueError:
        return area(jnp.zeros((3, 2)))

# --- path of unknown shape that each pass makes longer
def collect(state, n):
    def body(i, carry):
        state, path = carry
        state = state * 0.9
        return state, jnp.concatenate([path, state[None]])  # JAX702 likely

    return jax.lax.fori_loop(0, n, body, (state, state[None]))

# --- unknown carry with a part that a helper makes longer
def pushed(history, x):
    return jnp.append(history, x)

def collect(start, xs):
    def body(carry, x):
        history, count = carry
        return (pushed(history, x), count + 1), None  # JAX702 likely

    return jax.lax.scan(body, start, xs)

# --- array of a dict that gets an axis more
def collect(start, xs):
    def body(carry, x):
        return {**carry, "h": jnp.stack([carry["h"], x])}, None  # JAX702 likely

    return jax.lax.scan(body, {"h": start, "n": 0}, xs)

# --- window that moves along, and what is longer only inside the pass
def windows(window, xs):
    def body(window, x):
        longer = jnp.concatenate([window, x[None]])
        return longer[1:], longer.mean()

    return jax.lax.scan(body, window, xs)

# --- nothing, or nothing that holds anything, is added
def same(start, xs):
    def body(carry, x):
        first, second = carry
        return (jnp.concatenate([first]), jnp.concatenate([second, jnp.zeros((0,))])), x

    return jax.lax.scan(body, (start, start), xs)

# --- outputs that are longer than the carry
def outputs(start, xs):
    return jax.lax.scan(lambda carry, x: (carry + x, jnp.stack([carry, x])), start, xs)

# --- a loop in each lane of a map, which has a key of its own
def walk(key, total):
    def advance(carry):
        key, total = carry
        key, sub = jax.random.split(key)
        return key, total + jax.random.normal(sub)

    return jax.lax.while_loop(lambda carry: carry[1] < 1.0, advance, (key, total))[1]

def walks(key):
    return jax.vmap(walk)(jax.random.split(key, 4), jnp.zeros(4))

# --- a loop in each lane of a map, with one key for them all
def walk(key, total):
    def advance(carry):
        key, total = carry
        key, sub = jax.random.split(key)  # JAX405 possible
        return key, total + jax.random.normal(sub)

    return jax.lax.while_loop(lambda carry: carry[1] < 1.0, advance, (key, total))[1]

def walks(key):
    return jax.vmap(walk, in_axes=(None, 0))(key, jnp.zeros(4))

# --- each lane of a map has a key of its own, which an annotation calls an array
def walk(key: jax.Array, x: jax.Array):
    key, sub = jax.random.split(key)
    return x + jax.random.normal(sub, x.shape), key

walks = jax.vmap(walk)

# --- all lanes of a map share a key, which an annotation calls an array
def walk(key: jax.Array, x: jax.Array):
    key, sub = jax.random.split(key)  # JAX405 possible
    return x + jax.random.normal(sub, x.shape), key

walks = jax.vmap(walk, in_axes=(None, 0))

# --- carry that is an array to a function of the program, and comes back with something beside it
def rk_step(f, y, dt):
    after = y + dt * f(y)
    return after, abs(after - y).max()

def fixed(f, y0):
    def body(i, y):
        y, err = rk_step(f, y, 0.01)
        return y, err  # JAX702 certain

    return jax.lax.fori_loop(0, 100, body, y0)

# --- carry that is a part of what comes back for it
def counted(y0):
    return jax.lax.fori_loop(0, 3, lambda i, y: (y, i), y0)  # JAX702 certain

# --- carry that functions of JAX, attributes and signs take for an array, and that comes back as a tuple
def sines(y0):
    def body(y):
        return jnp.cos(y), 1.0  # JAX702 certain

    return jax.lax.while_loop(lambda y: True, body, y0)

def shares(y0):
    def body(y, _):
        share = y / y.sum()
        return (share, share.max()), None  # JAX702 certain

    return jax.lax.scan(body, y0, None, length=3)

def signs(y0):
    def body(carry, _):
        n, y = carry
        return (n + 1, (-y, n)), None  # JAX702 certain

    return jax.lax.scan(body, (0, y0), None, length=3)

# --- carry that is a pair wherever it is taken for one
def pair(y0):
    def body(i, y):
        a, b = y
        return a + 1, b - 1

    return jax.lax.fori_loop(0, 3, body, y0)

def pair_or_array(y0):
    def body(i, y):
        if isinstance(y, tuple):
            return y[0], y[1]
        return y / 2, y * 3

    return jax.lax.fori_loop(0, 3, body, y0)

def rows(y0):
    def body(i, y):
        y = jnp.asarray(y) - 1
        return y[0], y[1]

    return jax.lax.fori_loop(0, 3, body, y0)

def leaves(f, y0):
    def body(i, y):
        y = jax.tree.map(lambda leaf: leaf - 1, y)
        return y[0], f(y)

    return jax.lax.fori_loop(0, 3, body, y0)

# --- what comes after a carry that is refused
from typing import NamedTuple

class State(NamedTuple):
    q: jax.Array
    p: jax.Array
    grad: jax.Array

def step(state, k):
    return State(state.q + k, state.p, state.grad)

def warm(state, keys):
    def body(carry, k):
        state, n = carry
        return step(state, k), n + 1  # JAX702 certain

    (state, n), _ = jax.lax.scan(body, (state, 0), keys)
    return state, n

def sample(state, keys):
    state, _ = warm(state, keys)
    return step(state, 1.0).grad

def main():
    return sample(State(jnp.ones(2), jnp.ones(2), jnp.ones(2)), jnp.ones(3))

# --- carry to which only what is computed is added
C2 = 0.25

def rk_step(f, y, dt):
    first = f(y)
    second = f(y + dt * C2 * first)
    after = y + dt * (first + second) / 2
    return after, jnp.max(jnp.abs(after - (y + dt * first)))

def fixed(f, y0):
    def body(i, y):
        y, err = rk_step(f, y, 0.01)
        return y, err  # JAX702 certain

    return jax.lax.fori_loop(0, 100, body, y0)

# --- carry that is a tuple which others are joined with
def joined(f, y0):
    def body(i, y):
        a, b, *_ = y + (f(y), i)
        c, d, *_ = y + f(y) * 2
        return a + c, b + d

    return jax.lax.fori_loop(0, 100, body, y0)

# --- nothing that each pass adds something to
def collect(n):
    def body(i, path):
        return jnp.append(path, i * 2.0)  # JAX702 likely

    return jax.lax.fori_loop(0, n, body, jnp.zeros(0))

# --- nothing that each pass adds nothing to, and something with nothing added
def collect(n, x):
    path = jax.lax.fori_loop(0, n, lambda i, path: jnp.append(path, jnp.zeros(0)), jnp.zeros(0))
    return path, jax.lax.fori_loop(0, n, lambda i, path: jnp.concatenate([path, jnp.zeros(0)]), x)

# --- what a loop begins with is nothing
def moved(x):
    def body(index, carry):
        return x, carry  # JAX702 certain

    return jax.lax.fori_loop(0, 3, body, init_val=None)

# --- a loop of JAX carries the loss for the state of an optimiser
import jax
import jax.numpy as jnp
import optax

tx = optax.adam(1e-2)

def squared(p):
    return jnp.sum(p["w"] ** 2)

@jax.jit
def epoch(params, state, xs):
    def body(carry, x):
        params, state = carry
        value, gradients = jax.value_and_grad(squared)(params)
        updates, state = tx.update(gradients, state)  # JAX612 certain
        return (optax.apply_updates(params, updates), value), value

    return jax.lax.scan(body, (params, state), xs)

# --- the body of a loop that counts applies a function to the index
import jax

def fixed_point(f, x, n):
    return jax.lax.fori_loop(0, n, lambda x, i: f(x), x)  # JAX706 likely

def summed(values, n):
    def add(i, total):
        term = values[i] ** 2
        return term + 1.0  # JAX706 likely

    return jax.lax.fori_loop(0, n, add, 0.0)

# --- a body that uses both, only what is carried, neither, does something beside, or carries nothing
import jax
import jax.numpy as jnp

def main(f, x, n, ref, step):
    both = jax.lax.fori_loop(0, n, lambda i, x: f(x) + i, x)
    carried = jax.lax.fori_loop(0, n, lambda i, x: f(x), x)
    timed = jax.lax.fori_loop(0, n, lambda i, y: f(x), x)

    def shown(i, y):
        jax.debug.print("{i}", i=i)
        return x * i

    def stored(i, y):
        ref[i] = x
        return ref[i]

    def inner(i, y):
        def at(j):
            return y + j

        return at(i)

    def last(i, y):
        return 0.0

    loops = [jax.lax.fori_loop(0, n, body, x) for body in (shown, stored, inner, last, step)]
    return both, carried, timed, loops, jax.lax.fori_loop(0, n, lambda i, _: step(i), None)

# --- a pass puts something into what it carries, or takes something out
import jax
import jax.numpy as jnp


def grown(xs):
    def body(carry, x):
        carry["n"] = carry["n"] + 1
        carry["last"] = x
        return carry, None  # JAX702 certain

    return jax.lax.scan(body, {"n": 0}, xs)


def kept(xs):
    def body(carry, x):
        carry["n"] = carry["n"] + 1
        carry.update(last=x)
        return carry, None

    return jax.lax.scan(body, {"n": 0, "last": 0.0}, xs)


def appended():
    def body(i, carry):
        carry.append(carry[0] + i)
        return carry  # JAX702 certain

    return jax.lax.fori_loop(0, 3, body, [0])


def taken():
    def body(carry):
        carry.pop("step")
        return carry  # JAX702 certain

    return jax.lax.while_loop(lambda carry: carry["n"] < 3, body, {"n": 0, "step": 1})

# --- a field that holds more than its annotation says
from typing import NamedTuple

class Point(NamedTuple):
    x: jax.Array
    moves: jax.Array

class Train(NamedTuple):
    seen: jax.Array
    points: jax.Array

def run(train: Train):
    def step(carry, _):
        seen, point = carry
        point = Point(point.x + seen, point.moves + 1)
        return (point.x, point), seen

    return jax.lax.scan(step, (train.seen, train.points), None, 3)

def main():
    return run(Train(jnp.ones(2), Point(jnp.ones(2), jnp.zeros(2))))

# --- a field that holds what its annotation says, and is put into another array
from typing import NamedTuple

class Train(NamedTuple):
    seen: jax.Array
    total: jax.Array

def run(train: Train):
    def step(carry, _):
        return (carry, carry), None  # JAX702 certain

    return jax.lax.scan(step, (train.seen, train.total * 2), None, 3)

def main():
    return run(Train(jnp.ones(2), jnp.ones(2)))
