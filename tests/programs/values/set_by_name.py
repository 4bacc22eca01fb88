# Items and attributes that are set under a name which only the run knows, or by a function instead of a statement.

import jax.numpy as jnp
import numpy as np

# --- an item under a name from a file takes the place of an array
def load(properties):
    params = {"size": 2, "centers": jnp.zeros((2, 3), int)}
    for name, value in properties.items():
        if name in params:
            params[name] = np.array(value) if isinstance(value, list) else value
    params["centers"][:, [2, 0]] = params["centers"][:, [0, 2]]
    return params

def main():
    return load({"centers": [[1, 2, 3], [4, 5, 6]]})

# --- an item that is known under another name than those which are set
def load(properties):
    params = {"centers": jnp.zeros((2, 3), int)}
    for name in ("size", "depth"):
        params[name] = np.array(properties[name])
    params["centers"][0] = 1  # JAX301
    return params

def main():
    return load({"size": 1, "depth": 2})

# --- an item under a number takes no place of one under a name
def load(names):
    params = {"centers": jnp.zeros(3)}
    params[len(names)] = np.zeros(3)
    params["centers"][0] = 1  # JAX301
    return params

def main():
    return load(["centers"])

# --- a dict with names that only the run knows is merged into another
def load(name):
    params = {"centers": jnp.zeros(3)}
    params.update({name: np.zeros(3)})
    params["centers"][0] = 1
    return params

def main():
    return load("centers")

# --- setattr, under a name that only the run knows
class Params:
    def __init__(self, **given):
        self.centers = jnp.zeros(3)
        for name, value in given.items():
            setattr(self, name, value)

    def shift(self):
        self.centers[0] = 1

def main():
    Params(centers=np.zeros(3)).shift()

# --- setattr, of another attribute
class Params:
    def __init__(self):
        self.centers = jnp.zeros(3)
        setattr(self, "size", np.zeros(3))

    def shift(self):
        self.centers[0] = 1  # JAX301

def main():
    Params().shift()

# --- setattr, of the very attribute
class Params:
    def __init__(self):
        self.centers = jnp.zeros(3)
        setattr(self, "centers", np.zeros(3))

class Frozen:
    def __init__(self):
        self.centers = jnp.zeros(3)
        object.__setattr__(self, "centers", np.zeros(3))

class Inherited:
    def __init__(self):
        self.centers = jnp.zeros(3)
        super().__setattr__("centers", np.zeros(3))

def main():
    for made in (Params(), Frozen(), Inherited()):
        made.centers[0] = 1

# --- the dict of an object is changed
class Params:
    def __init__(self, **given):
        self.centers = jnp.zeros(3)
        self.__dict__.update(given)

    def shift(self):
        self.centers[0] = 1

def main():
    Params(centers=np.zeros(3)).shift()
    made = Params()
    vars(made)["centers"] = np.zeros(3)
    made.centers[0] = 1

# --- the dict of an object is read
class Params:
    def __init__(self):
        self.centers = jnp.zeros(3)

    def shift(self):
        names = list(self.__dict__)
        self.centers[0] = 1  # JAX301
        return names

def main():
    Params().shift()

# --- an attribute that one way sets by a name that only the run knows
class Fit:
    def __init__(self, order, **given):
        if order:
            self.slopes = [1.0, 2.0]
        else:
            for name, value in given.items():
                setattr(self, name, jnp.array(value))

def first(fit):
    return jnp.take(fit.slopes, 0)

def main():
    fit = Fit(0, slopes=[1.0, 2.0])
    return first(fit), jnp.take(Fit(0, slopes=[1.0, 2.0]).slopes, 0)

# --- an attribute that another method sets by a name that only the run knows
class Fit:
    def __init__(self):
        self.slopes = [1.0, 2.0]

    def load(self, given):
        for name in given:
            setattr(self, name, given[name])

    def first(self):
        return jnp.take(self.slopes, 0)

def main():
    fit = Fit()
    fit.load({"slopes": jnp.ones(3)})
    return fit.first()

# --- one that both ways set as a list
class Fit:
    def __init__(self, order, **given):
        if order:
            self.slopes = [1.0, 2.0]
        else:
            self.slopes = [1.0]

def main():
    return jnp.take(Fit(0).slopes, 0)  # JAX308
