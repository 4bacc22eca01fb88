# Values that move on by one place in each pass of a loop: what is there after the loop has come a long way.

import jax
import jax.numpy as jnp

# --- flags that move through names
@jax.jit
def f(x):
    a, b, c = True, True, True
    for _ in range(10):
        a, b, c = b, c, False
    if a:
        print("never", x)
    return x

def main():
    return f(1.0)

# --- numbers that move through names
@jax.jit
def f(x):
    a, b, c, d = 1, 1, 1, 1
    for _ in range(10):
        a, b, c, d = b, c, d, 0
    if a:
        print("never", x)
    if not a:
        print("always", x)  # JAX101
    return x

def main():
    return f(1.0)

# --- flags that move through names while nobody knows how often
@jax.jit
def f(x):
    a, b, c = False, False, False
    while jax.device_count() > 1 and not a:
        a, b, c = b, c, True
    if a:
        print("where there are more devices", x)  # JAX101
    return x

def main():
    return f(1.0)

# --- tracer that moves through names
@jax.jit
def f(x):
    a, b, c, d, e = 1, 1, 1, 1, 1
    for _ in range(10):
        a, b, c, d, e = b, c, d, e, x
    if a > 1:  # JAX201
        return x
    return -x

def main():
    return f(1.0)

# --- tracer that moves through a list
@jax.jit
def f(x):
    window = [1, 1, 1, 1]
    for _ in range(10):
        window = window[1:] + [x]
    if window[0] > 1:  # JAX201
        return x
    return -x

def main():
    return f(1.0)

# --- tracer that moves through the entries of a dict
@jax.jit
def f(x):
    last = {"a": 1, "b": 1, "c": 1, "d": 1}
    for _ in range(10):
        last["a"], last["b"], last["c"], last["d"] = last["b"], last["c"], last["d"], x
    if last["a"] > 1:  # JAX201
        return x
    return -x

def main():
    return f(1.0)

# --- tracer that moves through attributes
class Line:
    def __init__(self):
        self.a = self.b = self.c = self.d = 1

    def push(self, x):
        self.a, self.b, self.c, self.d = self.b, self.c, self.d, x

@jax.jit
def f(x):
    line = Line()
    for _ in range(10):
        line.push(x)
    if line.a > 1:  # JAX201
        return x
    return -x

def main():
    return f(1.0)

# --- tracer that moves through tuples in tuples
@jax.jit
def f(x):
    state = ((1, 1), (1, 1))
    for _ in range(10):
        (a, b), (c, d) = state
        state = ((b, c), (d, x))
    if state[0][0] > 1:  # JAX201
        return x
    return -x

def main():
    return f(1.0)

# --- window that is full only after some passes
@jax.jit
def f(xs):
    a = b = c = d = None
    for i in range(8):
        if a is not None and a > 0:  # JAX201
            return b
        a, b, c, d = b, c, d, xs[i]
    return d

def main():
    return f(jnp.arange(8.0))

# --- flag that is another one in every pass
@jax.jit
def f(x):
    odd = False
    for _ in range(7):
        x = -x if odd else x + 1
        odd = not odd
    return x

def main():
    return f(1.0)

# --- two that change places
@jax.jit
def f(x):
    a, b = 0, x
    for _ in range(8):
        a, b = b, a
    if a > 0:
        return x
    for _ in range(7):
        a, b = b, a
    if a > 0:  # JAX201
        return x
    return -x

def main():
    return f(1.0)

# --- counter beside a flag of the first pass
@jax.jit
def f(x):
    step, first = 0, True
    for _ in range(20):
        if first and step > 3:
            print("never", x)
        step += 1
        first = False
    return x * step

def main():
    return f(1.0)

# --- list of lists that grows
def build(names):
    tree = {}
    for path in names:
        node = tree
        for name in path:
            node = node.setdefault(name, {})
    return tree

@jax.jit
def f(x):
    tree = build([["a", "b"], ["a", "c"], ["d", "e"]])
    return x * len(tree)

def main():
    return f(1.0)
