# Keys that loops make, of the same seed in each pass or of another one.

import jax
import jax.numpy as jnp

# --- of a constant
def main(key):
    draws = []
    for number in range(2):
        made = jax.random.key(0)
        draws.append(jax.random.normal(made))  # JAX403
        print(number)
    return [tuple(draws)]

# --- of what nobody changes, handed to what draws from it
def moved(key, x):
    return x + jax.random.normal(key)

def main(key, seed=3):
    x, moves = 0.0, []
    while len(moves) < 2:
        new = moved(jax.random.key(seed + 1), x)  # JAX403
        moves.append(jnp.round(new - x, 4))
        x = new
    return [tuple(moves)]

# --- split before it is drawn from
def main(key):
    draws = []
    for _ in range(2):
        left, right = jax.random.split(jax.random.key(0))  # JAX403
        draws.append(jax.random.normal(left) + jax.random.normal(right))
    return [tuple(draws)]

# --- for each element of a list
def main(key, seed=3):
    first, second = [jax.random.normal(jax.random.key(seed)) for _ in range(2)]  # JAX403
    return [(first, second)]

# --- for elements of other seeds and sizes
def main(key, seed=3):
    draws = [jax.random.normal(jax.random.key(seed + number)) for number in range(2)]
    draws += [jax.random.normal(jax.random.key(seed), (size,)).sum() for size in range(2, 4)]
    return [(one, other) for place, one in enumerate(draws) for other in draws[:place]]

# --- of a seed that is another one in each pass, or that folds its number in
def main(key, seed=3):
    draws = []
    for number in range(2):
        draws.append(jax.random.normal(jax.random.key(seed + number)))
        draws.append(jax.random.normal(jax.random.fold_in(jax.random.key(seed), number)))
        made = jax.random.key(100)
        draws.append(jax.random.normal(jax.random.fold_in(made, number)))
    for _ in range(2):
        seed += 10
        draws.append(jax.random.normal(jax.random.key(seed)))
    return [(one, other) for place, one in enumerate(draws) for other in draws[:place]]

# --- of the same seed for other sizes, where there is none yet, and in a loop over settings
def main(key):
    draws, kept = [], None
    for size in range(2, 4):
        draws.append(jax.random.normal(jax.random.key(0), (size,)).sum())
    for _ in range(2):
        if kept is None:
            kept = jax.random.key(1)
        kept, part = jax.random.split(kept)
        draws.append(jax.random.normal(part))
    for scale in (1.0, 2.0):
        draws.append(scale * jax.random.normal(jax.random.key(2)))
    return [(one, other) for place, one in enumerate(draws) for other in draws[:place]]

# --- in a function that each pass calls for something else
def moved(x, seed):
    made = jax.random.key(seed)
    return x + jax.random.normal(made)

def drawn(draws):
    draws.append(jax.random.normal(jax.random.key(1)))

def main(key, seed=3):
    x, moves, draws = 0.0, [], []
    for _ in range(2):
        new = moved(x, seed=seed)  # JAX403
        moves.append(jnp.round(new - x, 4))
        x = new
        drawn(draws)  # JAX403
    return [tuple(moves), tuple(draws)]

# --- in a function that is called for the same each time, on some paths, or for other seeds and sizes
def drawn(seed, size=1):
    return jax.random.normal(jax.random.key(seed), (size,)).sum()

def moved(x, seed, is_first):
    if is_first:
        return x
    return x + jax.random.normal(jax.random.key(seed))

def turned(x, seed):
    seed = seed + int(x)
    return x + jax.random.normal(jax.random.key(seed))

def main(key, seed=3):
    draws, x, y = [], 1.0, 1.0
    for number in range(2):
        again = drawn(seed)
        draws.append(drawn(seed + number))
        draws.append(drawn(100, number + 2))
        x = moved(x, seed + 200, number == 0)
        y = turned(y, 300 + number)
        for scale in (1.0, 2.0):
            draws.append(moved(scale, seed + 400 + number, False))
    return [(one, other) for place, one in enumerate(draws) for other in draws[:place]]

# --- what the number of a pass is folded into, in a loop that another one runs again
def drawn(key, scales):
    found = []
    for number, scale in enumerate(scales):
        found.append(scale * jax.random.normal(jax.random.fold_in(key, number)))
    return found

def main(key):
    rounds = []
    for _ in range(2):
        rounds.append(drawn(key, [0.5] * 40))  # JAX403
    return list(zip(*rounds))

# --- what the number of a pass is folded into, in two loops
def main(key):
    first = [jax.random.normal(jax.random.fold_in(key, number)) for number in range(40)]
    return [(one, jax.random.normal(jax.random.fold_in(key, number))) for number, one in enumerate(first)]  # JAX401

# --- what the number of a pass is folded into, of another key in each pass around it
def main(key):
    rounds = []
    for step in range(2):
        step_key = jax.random.fold_in(key, step)
        rounds.append([])
        for number in range(40):
            rounds[-1].append(jax.random.normal(jax.random.fold_in(step_key, number)))
    return list(zip(*rounds))

# --- by a method that each pass calls
class Masker:
    def masked(self, x):
        made = jax.random.key(0)
        return x * jax.random.uniform(made, x.shape)

def main(key):
    draws, masker, x = [], Masker(), jnp.ones(3)
    for number in range(2):
        x = 0.0 * x + 1.0
        draws.append(masker.masked(x))  # JAX403
        print(number, draws)
    return [tuple(draws)]

# --- in the branch that the call takes
def masked(x, training=True):
    if training:
        made = jax.random.key(0)
        x = x * jax.random.uniform(made, x.shape)
    return x

def main(key):
    draws, x = {}, jnp.ones(3)
    for number in range(2):
        x = 0.0 * x + 1.0
        draws[number] = masked(x)  # JAX403
    return [(draws[0], draws[1])]

# --- in the branch that the call does not take
def masked(x, key, training=True):
    if training:
        made = jax.random.key(0)
        x = x * jax.random.uniform(made, x.shape)
    return x + jax.random.normal(key)

def main(key):
    draws, x = {}, jnp.ones(3)
    for number in range(2):
        key, sub = jax.random.split(key)
        x = 0.0 * x + 1.0
        draws[number] = masked(x, sub, training=False)
    return [(draws[0], draws[1])]
