# Models of numpyro, and who gives them their keys.
import jax
import jax.numpy as jnp
import numpyro
import numpyro.distributions as dist
from numpyro.infer import SVI, Trace_ELBO
from numpyro.infer.autoguide import AutoNormal

# --- a model that is fitted in each step of a map, with a key of its own
def fit(i):
    def model(x):
        a = numpyro.sample("a", dist.Normal(0, 1))
        numpyro.sample("y", dist.Normal(a, 1), obs=x)

    svi = SVI(model, AutoNormal(model), numpyro.optim.Adam(0.1), Trace_ELBO(), x=jnp.ones(3))
    return svi.run(jax.random.PRNGKey(3 * i + 1), 100).params

def main():
    return jax.lax.map(fit, jnp.arange(4))

# --- a model that samples in a loop of jax.lax
def model(xs):
    def step(total, x):
        slope = numpyro.sample("slope", dist.Normal(0, 1))  # JAX413 likely
        return total + slope * x, total

    return jax.lax.scan(step, 0.0, xs)

def main():
    return numpyro.handlers.seed(model, 0)(jnp.ones(3))
