# Keys that are split more than once, and the children that somebody takes.

# --- of two splits
# file: children.py
import jax


def items(key):
    a = jax.random.normal(jax.random.split(key)[0])
    return a + jax.random.normal(jax.random.split(key)[1])  # JAX401 possible


def one_item(key):
    a = jax.random.normal(jax.random.split(key)[1])
    return a + jax.random.normal(jax.random.split(key, 3)[1])  # JAX401 certain


def from_the_end(key):
    a = jax.random.normal(jax.random.split(key)[1])
    return a + jax.random.normal(jax.random.split(key)[-1])  # JAX401 certain


def names(key):
    a, _ = jax.random.split(key)
    _, b = jax.random.split(key)  # JAX401 possible
    return jax.random.normal(a) + jax.random.normal(b)


def a_name_of_both(key):
    a, b = jax.random.split(key)
    _, c = jax.random.split(key)  # JAX401 certain
    return jax.random.normal(a) + jax.random.normal(b) + jax.random.normal(c)


def forgotten(key):
    a, b = jax.random.split(key)
    c, d = jax.random.split(key)  # JAX401 possible
    return jax.random.normal(a) + jax.random.normal(d)


def handed_back(key):
    a, b = jax.random.split(key)
    c, d = jax.random.split(key)  # JAX401 certain
    return jax.random.normal(a) + jax.random.normal(d), b


def for_a_function_inside(key):
    a, b = jax.random.split(key)
    c, d = jax.random.split(key)  # JAX401 certain
    return jax.random.normal(a) + jax.random.normal(d), lambda: jax.random.normal(c)


def items_of_a_variable(key):
    keys = jax.random.split(key, 3)
    a = jax.random.normal(keys[0]) + jax.random.normal(keys[2])
    return a + jax.random.normal(jax.random.split(key)[1])  # JAX401 possible


def another_item_of_a_variable(key):
    keys = jax.random.split(key, 3)
    a = jax.random.normal(keys[0]) + jax.random.normal(keys[-2])
    return a + jax.random.normal(jax.random.split(key)[1])  # JAX401 certain


def all_of_a_variable(key):
    keys = jax.random.split(key, 3)
    a = [jax.random.normal(one) for one in keys], keys[0]
    return a, jax.random.normal(jax.random.split(key)[1])  # JAX401 certain


def an_item_that_is_computed(key, i):
    a = jax.random.normal(jax.random.split(key, 4)[i])
    return a + jax.random.normal(jax.random.split(key)[1])  # JAX401 certain


def three(key):
    a = jax.random.normal(jax.random.split(key)[0])
    b = jax.random.normal(jax.random.split(key)[1])  # JAX401 possible
    c = jax.random.normal(jax.random.split(key)[0])  # JAX401 certain
    return a, b, c


def advanced(key):
    sub = jax.random.split(key)[1]
    key = jax.random.split(key)[0]  # JAX401 possible
    return jax.random.normal(sub), key


def also_drawn_from(key):
    a = jax.random.normal(jax.random.split(key)[0])
    return a + jax.random.normal(key)  # JAX401 certain


def in_each_pass(key, n):
    total = 0.0
    for _ in range(n):
        total += jax.random.normal(jax.random.split(key)[0])  # JAX403 certain
    return total


# --- of splits in helpers
# file: helpers.py
import jax


def first(key):
    return jax.random.normal(jax.random.split(key)[0])


def second(key):
    _, sub = jax.random.split(key)
    return jax.random.normal(sub)


def both(key):
    a, b = jax.random.split(key)
    return jax.random.normal(a) + jax.random.normal(b)


def apart(key):
    return first(key) + second(key)  # JAX401 possible


def twice(key):
    a = second(key)
    b = first(key)  # JAX401 possible
    return a, b, second(key)  # JAX401 certain


def beside_all(key):
    return first(key) + both(key)  # JAX401 certain


# --- folded beside
# file: folded.py
import jax


def another_child(key):
    _, second = jax.random.split(key)
    return jax.random.normal(second) + jax.random.normal(jax.random.fold_in(key, 0))


def that_child(key):
    _, second = jax.random.split(key)
    return jax.random.normal(second) + jax.random.normal(jax.random.fold_in(key, 1))  # JAX404 likely


def that_item(key):
    third = jax.random.split(key, 3)[-1]
    return jax.random.normal(third) + jax.random.normal(jax.random.fold_in(key, 2))  # JAX404 likely


def forgotten(key, n):
    total = 0.0
    for step in range(n):
        step_key = jax.random.fold_in(key, step)
        total += step
    first, second = jax.random.split(key)
    return jax.random.normal(first) + jax.random.normal(second) * total


def for_a_function_inside(key, n):
    total = 0.0
    for step in range(n):
        step_key = jax.random.fold_in(key, step)
        total += (lambda: jax.random.normal(step_key))()
    first, second = jax.random.split(key)  # JAX404 likely
    return jax.random.normal(first) + jax.random.normal(second) * total


def handed_on(key, n, step):
    first, second = jax.random.split(key)
    return step(jax.random.normal(first), second, jax.random.fold_in(key, n))  # JAX404 likely


# --- at the top of a script that its settings were run in
# file: script.py
import jax

steps = 3
exec(open("settings.py").read())
key = jax.random.key(0)
first, second = jax.random.split(key)
print(jax.random.normal(first), jax.random.normal(second))
for step in range(steps):
    step_key = jax.random.fold_in(key, step)
    print(step)

other = jax.random.key(1)
a, b = jax.random.split(other)
_, d = jax.random.split(other)  # JAX401 possible
print(jax.random.normal(a), jax.random.normal(d))

# --- at the top of a script that runs what may read all
# file: script.py
import jax

key = jax.random.key(0)
first, second = jax.random.split(key)
print(jax.random.normal(first), jax.random.normal(second))
for step in range(3):
    step_key = jax.random.fold_in(key, step)  # JAX404 likely
    exec(open("step.py").read())

# --- at the top of a module that another one reads
# file: made.py
import jax

key = jax.random.key(0)
first, second = jax.random.split(key)
start = jax.random.normal(first), jax.random.normal(second)
folded = jax.random.fold_in(key, 0)  # JAX404 likely
unread = jax.random.fold_in(key, 1)
beside = jax.random.fold_in(key, 1)  # JAX404 likely

# file: reader.py
import jax
import made
from made import folded

print(jax.random.normal(folded), jax.random.normal(made.beside))

# --- a split that is dropped has no child that somebody takes
import jax

def advanced(key):
    jax.random.split(key)  # JAX407 certain
    return jax.random.normal(jax.random.fold_in(key, 1))
