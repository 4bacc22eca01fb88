# Functions that are called again and again, and compile a new function object at each call.

import functools

import equinox as eqx
import jax
import jax.numpy as jnp
import numpy as np
from flax import linen as nn
from flax import nnx

def loss(params, x, reg=0.1):
    return jnp.mean((x * params) ** 2) + reg * jnp.sum(params**2)

# --- a bound method in a method of an object that nobody knows
class Agent:
    def act(self, obs):
        return jnp.tanh(obs)

    def step(self, obs):
        return jax.jit(self.act)(obs)  # JAX503

def run(agent, obs):
    for _ in range(4):
        obs = agent.step(obs)
    return obs

def main():
    return run(Agent(), jnp.ones(2))

# --- a bound method in a method of an attribute that nobody knows
class Agent:
    def act(self, obs):
        return jnp.tanh(obs)

    def update(self, obs):
        return jax.jit(self.act)(obs)  # JAX503

class Trainer:
    def __init__(self, agent):
        self.agent = agent

    def fit(self, obs):
        while obs[0] > 0.5:
            obs = self.agent.update(obs)
        return obs

def main():
    return Trainer(Agent()).fit(jnp.ones(2))

# --- a bound method of an attribute that nobody knows
class Environment:
    def step(self, obs):
        return jnp.tanh(obs)

class Wrapper:
    def __init__(self, environment):
        self.environment = environment

    def step(self, obs):
        return jax.jit(self.environment.step)(obs)  # JAX503

    def other(self, obs):
        return jax.jit(self.environment.transition)(obs)

def run(wrapper: Wrapper, obs):
    for _ in range(4):
        obs = wrapper.step(obs)
    return obs

def main():
    return run(Wrapper(Environment()), jnp.ones(2))

# --- the method of another class of the same name
class Agent:
    def act(self, obs):
        return jnp.tanh(obs)

    def step(self, obs):
        return jax.jit(self.act)(obs)

class Environment:
    def step(self, obs, action):
        return obs + action

def main():
    environment, obs = Environment(), jnp.ones(2)
    for _ in range(4):
        obs = environment.step(obs, 1.0)
    return Agent().step(obs)

# --- apply of a flax module that an attribute holds
class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return nn.Dense(2)(x)

class Agent:
    def __init__(self):
        self.net = Net()

    def act(self, params, obs):
        return jax.jit(self.net.apply)(params, obs)  # JAX503

def main():
    agent, obs = Agent(), jnp.ones(2)
    params = agent.net.init(jax.random.key(0), obs)
    for _ in range(4):
        obs = agent.act(params, obs)
    return obs

# --- a gradient, bound to names
def train_step(params, x):
    value_and_grad = jax.value_and_grad(loss)
    value_and_grad = jax.jit(value_and_grad)  # JAX503
    value, grad = value_and_grad(params, x)
    return params - value * grad

def main():
    params = jnp.ones(2)
    for i in range(4):
        params = train_step(params, i)
    return params

# --- options given ahead
def train_step(params, x):
    compiled = functools.partial(jax.jit, donate_argnums=0)
    return compiled(lambda params, x: params - loss(params, x))(params, x)  # JAX503

def main():
    return [train_step(jnp.ones(2), x) for x in range(4)]

# --- a decorated function that only grad runs
def train_step(params, x):
    @functools.partial(jax.jit, static_argnames="reg")  # JAX503
    def objective(params, reg):
        return loss(params, x, reg)

    return params - jax.grad(objective)(params, reg=0.5)

def main():
    params = jnp.ones(2)
    for i in range(4):
        params = train_step(params, i)
    return params

# --- a closure that a call makes
def make_loss(reg):
    def regular(params, x):
        return loss(params, x, reg)

    return regular

def evaluate(params, x):
    return jax.jit(make_loss(0.5))(params, x)  # JAX503

def main():
    return [evaluate(jnp.ones(2), x) for x in range(4)]

# --- compiled functions that a call makes
def make_functions(reg):
    return jax.jit(lambda params: reg * params), jax.jit(lambda params, x: loss(params, x, reg))

def evaluate(params, x):
    initial, objective = make_functions(0.5)  # JAX503
    return objective(initial(params), x)

def main():
    return [evaluate(jnp.ones(2), x) for x in range(4)]

# --- nnx.jit keeps nothing by the function, filter_jit looks through methods and equinox's own gradients
class Model:
    def double(self, x):
        return 2 * x

    def methods(self, x):
        return eqx.filter_jit(self.double)(x)

def anew(x):
    return nnx.jit(loss)(x, x)  # JAX503

def seen_through(x):
    return eqx.filter_jit(eqx.filter_grad(loss))(x, x)

def not_seen_through(x):
    return eqx.filter_jit(jax.grad(loss))(x, x)  # JAX503

def main():
    x, model = jnp.ones(2), Model()
    for _ in range(4):
        x = model.methods(x) + seen_through(x) + not_seen_through(x) + anew(x)
    return x

# --- what is kept by whoever gets it
compiled = {}

class Agent:
    def __init__(self):
        self.step = None

    def act(self, obs):
        return jnp.tanh(obs)

    def prepared(self):
        if self.step is None:
            self.step = jax.jit(self.act)
        return self.step

    def ask(self, obs):
        return self.prepared()(obs)

def by_shape(x):
    step = compiled.get(x.shape)
    if step is None:
        step = compiled[x.shape] = jax.jit(lambda x: 2 * x)
    return step(x)

def registered(x):
    step = jax.jit(lambda x: 2 * x)
    compiled["last"] = step
    return step(x)

def main():
    agent, x = Agent(), jnp.ones(2)
    for _ in range(4):
        x = by_shape(agent.ask(x))
    return x

# --- a decorator of which nobody knows what it keeps
def kept(function):
    results = {}

    def given(x):
        if x not in results:
            results[x] = function(x)
        return results[x]

    return given

@kept
def table(n):
    return jax.jit(lambda x: n * x)(jnp.ones(2))

def main():
    return [table(3) for _ in range(4)]

# --- a loop that calls what was compiled before it, each time it is run
def fit(x, n):
    step = jax.jit(lambda x: 0.5 * x)
    for _ in range(n):
        x = step(x)
    return x

def main():
    return [fit(jnp.ones(2), n) for n in (2, 3)] + [fit(jnp.ones(2), n) for n in range(3)]

# --- what a constructor compiles once for each object
class Model:
    def __init__(self, x):
        self.params = jax.jit(lambda x: 2 * x)(x)

def main():
    return [Model(jnp.ones(2)).params for _ in range(4)]

# --- what is compiled ahead of time and not called
def text_of(x):
    return jax.jit(lambda x: 2 * x).lower(x).as_text()

def main():
    return [len(text_of(jnp.ones(n))) for n in range(1, 4)]

# --- in the loop itself, by the transforms of libraries
class Model:
    def double(self, x):
        return 2 * x

def main():
    x, model = jnp.ones(2), Model()
    for _ in range(4):
        x = nnx.jit(loss)(x, x) + x  # JAX502
        x = nnx.jit(model.double)(x)  # JAX502
        x = eqx.filter_jit(lambda x: 2 * x)(x)  # JAX502
        x = eqx.filter_jit(eqx.filter_grad(loss))(x, x)
        x = eqx.filter_jit(model.double)(x)
    return x

# --- what a compiled function makes while it is traced, in a function that a loop makes
def made_for(scale):
    @jax.jit
    def pixels(x):
        return x * scale

    return pixels

class Editor:
    def __init__(self, scales):
        self.scales = scales

    def setup(self, scale):
        def make(shift):
            def render(x):
                pixels = made_for(scale)
                return pixels(x) + shift

            return render

        self.render = jax.jit(make(1))
        self.other = jax.jit(make(2))

    def edit(self):
        for scale in self.scales:
            if scale > 1:
                self.setup(scale)

def main():
    editor = Editor([1, 2, 3])
    editor.edit()
    return editor.render(jnp.ones(2))

# --- nnx.jit of a function that another one has made
def make(scale):
    def scaled(x):
        return scale * x

    return scaled

double = make(2.0)

def anew(x):
    return nnx.jit(double)(x)  # JAX503

def main():
    x = jnp.ones(2)
    for _ in range(4):
        x = nnx.jit(double)(x)  # JAX502
        x = jax.jit(double)(x) + anew(x)
    return x

# --- a lambda that each pass of a comprehension compiles
def totals(xs):
    return [jax.jit(lambda x: jnp.tanh(x).sum())(x) for x in xs]  # JAX502

def total(xs):
    return sum(jax.jit(lambda x: jnp.tanh(x).sum())(x) for x in xs)  # JAX502

def by_row(rows):
    return {i: jax.jit(lambda x: 2 * x)(x) for i, row in enumerate(rows) for x in row}  # JAX502

def main():
    return totals(jnp.ones(3)), total(jnp.ones(3)), by_row(jnp.ones((2, 2)))

# --- a comprehension that compiles another function in each pass, or keeps it, or leaves passes out
def by_function(functions, x):
    return [jax.jit(lambda x: function(x).sum())(x) for function in functions]

def kept(rates):
    return [jax.jit(lambda x: 2 * x) for _ in rates]

def chosen(names, x):
    return [jax.jit(lambda x: 2 * x)(x) for name in names if name == "double"]

def main():
    x = jnp.ones(3)
    return by_function([jnp.sin, jnp.cos], x), [step(x) for step in kept([1, 2])], chosen(["double", "half"], x)

# --- a method that makes a compiled function for whoever asks, asked in each pass
class Agent:
    rate = 0.1

    def make_update(self):
        def update(params):
            return params - self.rate * jax.grad(loss)(params, 1.0)

        return jax.jit(update)

    @property
    def policy(self):
        return jax.jit(self.act)

    def act(self, params):
        return 2 * params

    def train(self, params, n):
        for _ in range(n):
            params = self.make_update()(params)  # JAX502
        return params

    def train_in_epochs(self, params, n):
        for _ in range(n):
            update = self.make_update()  # JAX502
            for _ in range(10):
                params = update(params)
        return params

    def play(self, params, n):
        return [self.policy(params) for _ in range(n)]  # JAX502

def make_step(rate):
    return jax.jit(lambda params: params - rate)

def main():
    agent, params = Agent(), jnp.ones(2)
    for _ in range(3):
        params = make_step(0.1)(params)  # JAX502
    return agent.train(params, 2), agent.train_in_epochs(params, 2), agent.play(params, 2)

# --- a method that makes a compiled function, asked before the loop, on a condition, for another one in each pass, or for one to keep
class Agent:
    def __init__(self):
        self.rate = 0.1
        self.updates = []

    def make_update(self):
        def update(params):
            return params - self.rate * jax.grad(loss)(params, 1.0)

        return jax.jit(update)

    @functools.cache
    def kept_update(self):
        return jax.jit(lambda params: params - self.rate)

    def train(self, params, n):
        update = self.make_update()
        for _ in range(n):
            params = self.kept_update()(update(params))
        return params

    def anneal(self, params, n):
        for _ in range(n):
            self.rate = 0.5 * self.rate
            params = self.make_update()(params)
        return params

    def collect(self, params, n):
        for _ in range(n):
            update = self.make_update()
            self.updates.append(update)
            params = update(params)
        return params

    def lazily(self, params, n):
        update = None
        for _ in range(n):
            if update is None:
                update = self.make_update()
            params = update(params)
        return params

def make_step(rate):
    return jax.jit(lambda params: params - rate)

def sweep(rates, params):
    for rate in rates:
        params = make_step(rate)(params)
    return params

def drawn(rates, params):
    while rates:
        params = make_step(rates.pop())(params)
    return params

def main():
    agent, params = Agent(), jnp.ones(2)
    params = agent.lazily(agent.collect(agent.anneal(agent.train(params, 2), 2), 2), 2)
    return sweep([0.1, 0.2], params), drawn([0.1, 0.2], params)

# --- a counter in the structure of a registered class that each call changes
import dataclasses
from functools import partial

@partial(jax.tree_util.register_dataclass, data_fields=["total"], meta_fields=["count"])
@dataclasses.dataclass
class Running:
    total: jax.Array
    count: int = 0

    def push(self, v):
        return Running(self.total + v, self.count + 1)

@jax.tree_util.register_pytree_node_class
class State:
    def __init__(self, params, step):
        self.params = params
        self.step = step

    def tree_flatten(self):
        return (self.params,), self.step

    @classmethod
    def tree_unflatten(cls, step, children):
        return cls(*children, step)

@jax.jit
def accumulate(x, run):
    return run.push(x.sum())

@jax.jit
def advance(state):
    return State(state.params * 2, state.step + 1)

def main():
    run, state = Running(jnp.zeros(())), State(jnp.ones(()), 0)
    for x in jnp.ones((6, 2)):
        run = accumulate(x, run=run)  # JAX507
    while state.step < 6:
        state = advance(state)  # JAX507
    assert accumulate._cache_size() == advance._cache_size() == 6

# --- a counter in the structure of a registered class that no call has to tell from another
import dataclasses
from functools import partial

@partial(jax.tree_util.register_dataclass, data_fields=["total"], meta_fields=["count", "name"])
@dataclasses.dataclass
class Running:
    total: jax.Array
    count: int = 0
    name: str = ""

    def push(self, v):
        return Running(self.total + v, self.count, self.name)

    def counted(self):
        return Running(self.total, self.count + 1, self.name)

@jax.jit
def accumulate(run, x):
    return run.push(x.sum())

def main():
    run = Running(jnp.zeros(()))
    run = run.counted()
    for x in jnp.ones((6, 2)):
        run = accumulate(run, x)
    run = run.counted()
    for _ in range(3):
        run = accumulate(run.counted(), jnp.ones(2))
    shown = Running(run.total)
    for x in jnp.ones((6, 2)):
        shown = shown.counted()
        total = accumulate(Running(shown.total, 3), x)

# --- made anew for a number that each pass computes, and given what the pass before has left
def make_step(rate):
    @jax.jit
    def step(x):
        return x - rate * x
    return step

def train(x, schedule, steps=5):
    for i in range(steps):
        step = make_step(schedule(i))  # JAX502
        x = step(x)
    return x

def main():
    return train(jnp.ones(2), lambda i: 0.1 / (i + 1))

# --- made anew for each of several runs, or for each of a few stages
def make_step(rate):
    @jax.jit
    def step(x):
        return x - rate * x
    return step

def runs(x, rates):
    found = []
    for i in range(len(rates)):
        step = make_step(float(rates[i]))
        y = x
        for _ in range(3):
            y = step(y)
        found.append(y)
    return found

def stages(x):
    for i in range(3):
        x = make_step(0.1 * i)(x)
    return x

def main():
    return runs(jnp.ones(2), [0.1, 0.2]), stages(jnp.ones(2))

# --- a training step that closes over the batch of the pass
def mse(p, x, y):
    return jnp.mean((x @ p - y) ** 2)

def decorated(p, batches):
    for x, y in batches:
        @jax.jit  # JAX502
        def step(p):
            return p - 0.1 * jax.grad(mse)(p, x, y)

        p = step(p)
    return p

def by_name(p, batches):
    for x, y in batches:
        def loss(p):
            return mse(p, x, y)

        gradient = jax.jit(jax.grad(loss))(p)  # JAX502
        p = p - 0.1 * gradient
    return p

def by_lambda(p, batches):
    for epoch in range(2):
        for batch in batches:
            loss = lambda p: mse(p, *batch)
            value_and_grad = jax.jit(jax.value_and_grad(loss))  # JAX502
            value, gradient = value_and_grad(p)
            p = p - 0.1 * gradient
    return p

class Trainer:
    def __init__(self, p, rate):
        self.p, self.rate, self.losses = p, rate, []

    def fit(self, batches):
        for batch in batches:
            @jax.jit  # JAX502
            def step(p):
                value, gradient = jax.value_and_grad(mse)(p, batch[0], batch[1])
                return p - self.rate * gradient, value

            self.p, value = step(self.p)
            self.losses.append(value)
        return self.p

def main():
    data, p = [(jnp.ones((4, 3)), jnp.ones(4))] * 3, jnp.ones(3)
    return decorated(p, data), by_name(p, data), by_lambda(p, data), Trainer(p, 0.1).fit(data)

# --- what a pass needs another function for: other layers, other settings, sizes, one run each
class Settings:
    def __init__(self, rate):
        self.rate = rate

def layers(functions, x):
    for f in functions:
        x = jax.jit(lambda x: 2 * f(x))(x)
    return x

def settings(each, p):
    for one in each:
        step = jax.jit(lambda p: p * one.rate)
        p = step(p)
    return p

def sizes(numbers, x):
    for n in range(2, numbers):
        x = jax.jit(lambda x: jnp.resize(x, n))(x)
    return x

def runs(rates, x):
    found = []
    for rate in rates:
        y = x
        step = jax.jit(lambda y: y - rate * jnp.sin(y))
        y = step(y)
        y = step(y)
        found.append(y)
    return found

def annealed(x, model):
    for i in range(6):
        step = jax.jit(lambda x: jnp.tanh(x) * model.rate)
        x = step(x)
        model.rate = 0.5 * model.rate
    return x

def main():
    x = jnp.ones(2)
    layers([jnp.sin, jnp.cos], x), settings([Settings(0.1), Settings(0.2)], x), sizes(6, x)
    return runs([0.1, 0.2], x), annealed(x, Settings(1.0))

# --- one of each rate, that is called once
def sweep(rates, x):
    found = []
    for rate in rates:
        step = jax.jit(lambda p: jax.tree.map(lambda x, g: x - rate * g, p, p))  # JAX502
        found.append(jnp.sum(step(x)))
    return found

def main():
    return sweep([0.1, 0.2], jnp.ones(2))

# --- one of each exponent
def main():
    found = []
    for power in np.linspace(1.0, 2.0, 8):
        raised = jax.jit(lambda x: jnp.sum(x**power))  # JAX502
        found.append(raised(jnp.ones(2)))
    return found

# --- one of each number of axes, and of each order, which a compiled function has to know
def main():
    x, found = jnp.ones((2, 2)), []
    for order in range(1, 8):
        found.append(jax.jit(lambda x: jnp.linalg.norm(x, order % 2 + 1))(x))
        found.append(jax.jit(lambda x: jnp.ones((2,) * order) * x[0, 0])(x))
    return found

# --- in a wrapper that has the names of what it wraps
def compiling(function):
    @functools.wraps(function)
    def wrapper(*args):
        return jax.jit(lambda *given: function(*given))(*args)  # JAX503

    return wrapper

@compiling
def residual(x):
    return x**2 - 2

def newton(x, steps):
    for _ in range(steps):
        x = x - residual(x) / (2 * x)
    return x

def main():
    return newton(jnp.ones(3), 2)

# --- in a wrapper that is made once, or keeps what it has made
def compiled(function):
    once = jax.jit(function)

    @functools.wraps(function)
    def wrapper(*args):
        return once(*args)

    return wrapper

@compiled
def residual(x):
    return x**2 - 2

@functools.lru_cache(maxsize=None)
def made(rate):
    return jax.jit(lambda x: x * rate)

def newton(x, steps):
    for _ in range(steps):
        x = x - residual(x) / made(2)(x)
    return x

def main():
    return newton(jnp.ones(3), 2)

# --- two classes whose loops read alike
class Doubling:
    def advance(self, x):
        return 2 * x

    def run(self, x, steps):
        for _ in range(steps):
            x = jax.jit(self.advance)(x)  # JAX502
        return x

class Scaling:
    def __init__(self, factor):
        self.factor = factor

    def advance(self, x):
        return self.factor * x

    def run(self, x, steps):
        for _ in range(steps):
            x = jax.jit(self.advance)(x)  # JAX502
        return x

def main():
    return Doubling().run(jnp.ones(3), 2), Scaling(3.0).run(jnp.ones(3), 2)

# --- on a condition that is the same in all passes, and on one that the loop changes
def scored(batches, is_binary):
    scores = []
    for x in batches:
        if is_binary:
            scores.append(jax.jit(lambda x: 2 * x)(x))  # JAX502
    return scores

def first_of_all(batches):
    double, scores = None, []
    for number, x in enumerate(batches):
        if number == 0:
            halve = jax.jit(lambda x: x / 2)
        if double is None:
            double = jax.jit(lambda x: 2 * x)
        scores.append(halve(double(x)))
    return scores

def kept(batches, cache):
    for x in batches:
        if "double" not in cache:
            cache["double"] = jax.jit(lambda x: 2 * x)
        x = cache["double"](x)
    return x

def main():
    scored([jnp.ones(3)] * 3, True)
    first_of_all([jnp.ones(3)] * 3)
    return kept([jnp.ones(3)] * 3, {})
