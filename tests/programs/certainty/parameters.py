# Parameters of modules are made in `init` and nowhere else.

# --- only applied, and the layers of what is called there
# file: world.py
import flax.linen as nn
import jax


class Cell(nn.Module):
    @nn.compact
    def __call__(self, h, x):
        return nn.tanh(nn.Dense(3)(h) + x)


class World(nn.Module):
    def setup(self):
        self.cell = Cell()

    def probe(self, x):
        """Makes the parameters, as observe() must not."""
        return self.cell(x, x)

    def observe(self, xs):
        return jax.lax.scan(lambda h, x: (self.cell(h, x), None), xs[0], xs)[0]


def start(key, x):
    return World().init(key, x, method=World.probe)

# --- called by init
# file: world.py
import flax.linen as nn
import jax


class Cell(nn.Module):
    @nn.compact
    def __call__(self, h, x):
        return nn.tanh(nn.Dense(3)(h) + x)  # JAX114 certain


class World(nn.Module):
    def setup(self):
        self.cell = Cell()

    def __call__(self, xs):
        return self.observe(xs)

    def observe(self, xs):
        return jax.lax.scan(lambda h, x: (self.cell(h, x), None), xs[0], xs)[0]

# --- called by the init of nobody knows what
# file: world.py
import flax.linen as nn
import jax


class World(nn.Module):
    def setup(self):
        self.cell = nn.Dense(3)

    def observe(self, xs):
        return jax.lax.scan(lambda h, x: (self.cell(h) + x, None), xs[0], xs)[0]  # JAX114 possible


class Still(nn.Module):
    def observe(self, xs):
        return xs[-1]


class Agent(nn.Module):
    world: nn.Module

    def __call__(self, xs):
        return self.world.observe(xs)

# --- init may run another method
# file: world.py
import flax.linen as nn
import jax


class World(nn.Module):
    def setup(self):
        self.cell = nn.Dense(3)

    def probe(self, x):
        return self.cell(x)

    def __call__(self, xs):
        return jax.lax.scan(lambda h, x: (self.cell(h) + x, None), xs[0], xs)[0]  # JAX114 possible


def start(key, x):
    return World().init(key, x, method="probe")
