# Uses on paths that meet, and on paths that exclude each other.

import jax
import jax.numpy as jnp

# --- if else
def main(key, flag=True):
    if flag:
        return jax.random.normal(key)
    else:
        x = jax.random.uniform(key)
    return x

# --- ternary
def main(key, kind="normal"):
    return jax.random.normal(key) if kind == "normal" else jax.random.uniform(key)

# --- early return
def main(key, n=0):
    if n == 0:
        return jax.random.normal(key)
    return jax.random.normal(key, (n,))

# --- early raise
def main(key, n=1):
    if n < 0:
        raise ValueError(jax.random.normal(key))
    return jax.random.normal(key, (n,))

# --- a branch that ends the process
import argparse
import os
import sys

def sample(key, seen=False):
    if seen:
        print(jax.random.normal(key))
        sys.exit(0)
    return jax.random.normal(key)

def again(key, seen=False):
    if seen:
        print(jax.random.normal(key))
        os._exit(1)
    return jax.random.normal(key)

def asked(key, given=()):
    parser = argparse.ArgumentParser()
    parser.add_argument("--seen", action="store_true")
    if parser.parse_args(given).seen:
        print(jax.random.normal(key))
        parser.error("has been seen")
    return jax.random.normal(key)

def usage():
    print("usage: sample [seen]")
    raise SystemExit(2)

def helped(key, words=()):
    if len(words) > 1:
        print(jax.random.normal(key))
        usage()
    return jax.random.normal(key)

def warned(key, seen=False):
    if seen:
        print(jax.random.normal(key))
        sys.exc_info()
    return jax.random.normal(key)  # JAX401

def main():
    keys = jax.random.split(jax.random.key(0), 4)
    return sample(keys[0]), again(keys[1]), asked(keys[2]), helped(keys[3]), warned(jax.random.key(1), True)

# --- match
def main(key, kind="a"):
    match kind:
        case "a":
            return jax.random.normal(key)
        case "b":
            return jax.random.uniform(key)
        case _:
            return jax.random.laplace(key)

# --- opposite tests
def main(key, kind="abl"):
    x = 0.0
    if kind == "abl":
        x = jax.random.normal(key)
    y = x + 1
    if kind != "abl":
        y = jax.random.uniform(key)
    return y

# --- same flag negated
def main(key, train=True):
    x = jax.random.normal(key) if train else 0.0
    if not train:
        x = jax.random.uniform(key)
    return x

# --- none or given
def main(key, noise=None):
    if noise is None:
        noise = jax.random.normal(key)
    return noise

# --- try fallback
def main(key):
    try:
        return jax.random.normal(key)
    except TypeError:
        raise RuntimeError("no key")

# --- cond branches
def main(key):
    return jax.lax.cond(True, jax.random.normal, jax.random.uniform, key)

# --- switch branches
@jax.jit
def main(key):
    return jax.lax.switch(1, [lambda k: jax.random.normal(k), lambda k: jax.random.uniform(k)], key)

# --- after if
def main(key, flag=True):
    x = 0.0
    if flag:
        x = jax.random.normal(key)
    return x + jax.random.uniform(key)  # JAX401

# --- after both
def main(key, flag=True):
    if flag:
        x = jax.random.normal(key)
    else:
        x = jax.random.uniform(key)
    return x + jax.random.laplace(key)  # JAX401

# --- before branch
def main(key, flag=True):
    x = jax.random.normal(key)
    if flag:
        x += jax.random.uniform(key)  # JAX401
    return x

# --- after cond
@jax.jit
def main(key):
    x = jax.lax.cond(True, lambda k: jax.random.normal(k), lambda k: 0.0, key)
    return x + jax.random.normal(key)  # JAX401

# --- renewed in one branch
def main(key, flag=False):
    x = jax.random.normal(key)
    if flag:
        key, _ = jax.random.split(jax.random.fold_in(key, 3))
    return x + jax.random.uniform(key)  # JAX401

# --- finally
def main(key):
    try:
        x = jax.random.normal(key)
    finally:
        y = jax.random.normal(key)  # JAX401
    return x, y

# --- with block
def main(key):
    with jax.named_scope("noise"):
        x = jax.random.normal(key)
    return x + jax.random.uniform(key)  # JAX401

# --- unless a branch has changed an object of the module
class Options:
    def __init__(self):
        self.fixed = False

OPTIONS = Options()

def draw(key, fixed):
    if fixed:
        OPTIONS.fixed = True
    first = 0.0
    if not OPTIONS.fixed:
        first = jax.random.normal(key)
    return first + jax.random.normal(key)  # JAX401

def main(key):
    return draw(key, False)

# --- changed by both branches
class Options:
    def __init__(self):
        self.fixed = False

OPTIONS = Options()

def draw(key, slow):
    if slow:
        OPTIONS.fixed = True
    else:
        OPTIONS.fixed = 1
    first = 0.0
    if not OPTIONS.fixed:
        first = jax.random.normal(key)
    return first + jax.random.normal(key)

def main(key):
    return draw(key, False)

# --- two names of one key on either branch
def main(key, flag=True):
    one, other = jax.random.split(key)
    if flag:
        x, y = one, one
    else:
        x, y = other, other
    return jax.random.normal(x), jax.random.normal(y)  # JAX401

# --- two names that change places on one branch
def main(key, flag=True):
    one, other = jax.random.split(key)
    if flag:
        x, y = one, other
    else:
        x, y = other, one
    return jax.random.normal(x), jax.random.normal(y)

# --- a constant that becomes another one
def main(key):
    step = 0
    if step == 1:
        first = 0.0
    else:
        first = jax.random.uniform(key)
    step = 1
    if step == 1:
        first = first + 1.0
    return first + jax.random.normal(key)  # JAX401

# --- the cases of each pass
def main(key):
    total = 0.0
    for step in range(2):
        match step:
            case 1:
                total = total + 1.0
            case _:
                total = total + jax.random.uniform(key)
    return total + jax.random.normal(key)  # JAX401

# --- one case or the other
def main(key, step="a"):
    match step:
        case "a":
            total = jax.random.uniform(key)
        case "b":
            total = jax.random.normal(key)
        case _:
            total = 0.0
    return total

# --- either branch in one pass
def main(key):
    total = 0.0
    for step in range(2):
        if step == 0:
            total = total + jax.random.uniform(key)
        if step != 0:
            key = jax.random.fold_in(key, step)
            total = total + jax.random.normal(key)
    return total

# --- two matches of one value
def main(key, step="a"):
    match step:
        case "a":
            total = jax.random.uniform(key)
        case _:
            total = 0.0
    match step:
        case "b":
            total = total + jax.random.normal(key)
    if step == "c":
        total = total + jax.random.laplace(key)
    return total

# --- two matches of one value, with a case in both
def main(key, step="a"):
    match step:
        case "a":
            total = jax.random.uniform(key)
        case _:
            total = 0.0
    match step:
        case "a":
            total = total + jax.random.normal(key)  # JAX401
        case "b":
            total = total + jax.random.laplace(key)
    return total

# --- what is None unless it was drawn
def main(key, kind="c"):
    found = None
    if kind == "a":
        found = jax.random.normal(key)
    elif kind == "b":
        found = jax.random.uniform(key)
    if found is not None:
        return found
    return jax.random.exponential(key)

# --- what is None where it was drawn, too
def main(key, kind="a"):
    found = None
    if kind == "a":
        found = jax.random.normal(key)
    if found is not None:
        return jax.random.exponential(key)  # JAX401
    return found

# --- one of some names and another
def main(key, kind="c"):
    total = 0.0
    if kind in ("a", "b"):
        total += jax.random.normal(key)
    if kind == "c":
        total += jax.random.uniform(key)
    return total

# --- one of some names and of others
def main(key, kind="b"):
    total = 0.0
    if kind in ("a", "b"):
        total += jax.random.normal(key)
    if kind in ("b", "c"):
        total += jax.random.uniform(key)  # JAX401
    return total

# --- no number and more
def main(key, n=2, depth=-1):
    total = 0.0
    if n == 0:
        total += jax.random.normal(key)
    if n > 0:
        total += jax.random.uniform(key)
    if 3 <= depth:
        total += jax.random.normal(jax.random.fold_in(key, 9))
    if depth < -0.5:
        total += jax.random.uniform(jax.random.fold_in(key, 9))
    return total

# --- no number or more, and more
def main(key, n=2):
    total = 0.0
    if n >= 0:
        total += jax.random.normal(key)
    if n > 0:
        total += jax.random.uniform(key)  # JAX401
    return total

# --- an empty list and others
def main(key, xs=(1, 2)):
    xs, total = [x for x in xs if x], 0.0
    if not xs:
        total += jax.random.normal(key)
    if len(xs) > 1:
        total += jax.random.uniform(key)
    return total

# --- a short list and an empty one
def main(key, xs=()):
    xs, total = [x for x in xs if x], 0.0
    if not xs:
        total += jax.random.normal(key)
    if len(xs) < 3:
        total += jax.random.uniform(key)  # JAX401
    return total

# --- a text and a number
def main(key, kind="a"):
    total = 0.0
    if isinstance(kind, str):
        total += jax.random.normal(key)
    if isinstance(kind, (int, float)):
        total += jax.random.uniform(key)
    return total

# --- a number and a truth value
def main(key, kind=True):
    total = 0.0
    if isinstance(kind, int):
        total += jax.random.normal(key)
    if isinstance(kind, bool):
        total += jax.random.uniform(key)  # JAX401
    return total

# --- members of enumerations, whatever gives them their values
from enum import Enum, IntEnum, auto

class Phase(Enum):
    TRAIN = auto()
    PROBE = auto()

class Level(IntEnum):
    LOW = 0
    HIGH = 1

class Kind(str, Enum):
    NOISE = "noise"
    MASK = "mask"

class Wall(Enum):
    THIN = 1, "|"
    THICK = 2, "#"

def phases(key, phase):
    x = 0.0
    if phase is Phase.TRAIN:
        x = jax.random.normal(key)
    if phase is Phase.PROBE:
        x = jax.random.uniform(key)
    return x

def levels(key, level):
    x = 0.0
    if level == Level.LOW:
        x = jax.random.normal(key)
    if Level.HIGH == level:
        x = jax.random.uniform(key)
    return x

def kinds(key, kind):
    x = 0.0
    match kind:
        case Kind.NOISE:
            x = jax.random.normal(key)
    if kind == Kind.MASK:
        x = jax.random.uniform(key)
    return x

def walls(key, wall):
    x = 0.0
    if wall is Wall.THIN:
        x = jax.random.normal(key)
    if wall in (Wall.THICK,):
        x = jax.random.uniform(key)
    return x

def again(key, phase, other):
    x = 0.0
    if phase is Phase.TRAIN:
        x = jax.random.normal(key)
    if other is Phase.PROBE:
        x = jax.random.uniform(key)  # JAX401
    return x

def the_same(key, phase):
    x = 0.0
    if phase is Phase.TRAIN:
        x = jax.random.normal(key)
    if phase in (Phase.TRAIN, Phase.PROBE):
        x = jax.random.uniform(key)  # JAX401
    return x

def main():
    keys = iter(jax.random.split(jax.random.key(0), 8))
    phases(next(keys), Phase.TRAIN), phases(next(keys), Phase.PROBE), levels(next(keys), Level.LOW)
    kinds(next(keys), Kind.NOISE), kinds(next(keys), Kind.MASK), walls(next(keys), Wall.THIN)
    for wrong in (lambda: again(next(keys), Phase.TRAIN, Phase.PROBE), lambda: the_same(next(keys), Phase.TRAIN)):
        wrong()

# --- constants by name
TRAIN, TEST = "train", "test"
FEW, MANY = 3, 9

class Mode:
    DRAW = 0
    REST = 1

def modes(key, mode):
    x = 0.0
    if mode == TRAIN:
        x = jax.random.normal(key)
    if mode == TEST:
        x = jax.random.uniform(key)
    return x

def sizes(key, n):
    x = 0.0
    if n < FEW:
        x = jax.random.normal(key)
    if n > MANY:
        x = jax.random.uniform(key)
    return x

def numbered(key, mode):
    x = 0.0
    if mode == Mode.DRAW:
        x = jax.random.normal(key)
    if mode == Mode.REST:
        x = jax.random.uniform(key)
    return x

def overlapping(key, n):
    x = 0.0
    if n < MANY:
        x = jax.random.normal(key)
    if n > FEW:
        x = jax.random.uniform(key)  # JAX401
    return x

def main():
    keys = jax.random.split(jax.random.key(0), 4)
    return modes(keys[0], TEST), sizes(keys[1], 1), numbered(keys[2], Mode.REST), overlapping(keys[3], 5)

# --- one branch of cond moves the key on, the other one leaves it
from typing import NamedTuple

class Cloud(NamedTuple):
    key: jax.Array
    x: jax.Array

def resampled(cloud):
    *rest, key = jax.random.split(cloud.key)
    return Cloud(*rest, cloud.x + jax.random.uniform(key))

def kept(cloud):
    return cloud

def moved(cloud, observed):
    cloud = jax.lax.cond(observed < 0.5, resampled, kept, cloud)
    key, move_key = jax.random.split(cloud.key)
    return Cloud(key, cloud.x + jax.random.normal(move_key)), observed

def of_pairs(pair, low):
    def fresh(pair):
        key, x = pair
        rest, used = jax.random.split(key)
        return rest, jax.random.uniform(used)

    if low:
        pair = fresh(pair)
    key, x = pair
    return x + jax.random.normal(key)

def spent(pair, low):
    def fresh(pair):
        key, x = pair
        rest, used = jax.random.split(key)
        return rest, jax.random.uniform(rest)  # JAX401

    if low:
        pair = fresh(pair)
    return jax.random.normal(pair[0])  # JAX401

def main():
    first, second, third = jax.random.split(jax.random.key(0), 3)
    jax.lax.scan(moved, Cloud(first, jnp.zeros(())), jnp.zeros(3))
    return of_pairs((second, 0.0), True), spent((third, 0.0), True)
