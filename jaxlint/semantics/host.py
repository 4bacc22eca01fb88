"""What the world outside JAX does when it is called: effects that happen once, at trace time.

A key is a qualified name (``time.time``) or, ending in ``.*``, everything below a module.  The longest match
wins, so that ``numpy.random.default_rng`` can differ from ``numpy.random.*``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class HostEffect:
    """One effect.

    ``category``: print, log, warn, file, buffer, time, random, env, input, process, network, experiment-logger,
    progress, or ``none`` for a name that looks like one but is harmless.
    ``certainty_needs_traced``: harmless at trace time unless a traced value is among the arguments (logging a shape).
    ``seeded``: deterministic when its first argument is a constant (``default_rng(0)``), else drawn from the system.
    """

    category: str
    certainty_needs_traced: bool = False
    note: str = ""
    seeded: bool = False


_PRINT = HostEffect("print", True, "runs once, while JAX traces, and prints the tracer")
_LOG = HostEffect("log", True, "runs once, while JAX traces, and logs the tracer")
_WARN = HostEffect("warn", True, "runs once, while JAX traces")
_FILE = HostEffect("file", True, "runs once, while JAX traces; a tracer has no value to write")
_BUFFER = HostEffect("buffer", True, "runs once, while JAX traces; a tracer has no value to write")
_FILE_READ = HostEffect("file", True, "runs once, while JAX traces; what it read is a constant of the program")
_CLOCK = HostEffect("time", False, "read once, while JAX traces; every later call sees the same time")
_SLEEP = HostEffect("time", False, "waits once, while JAX traces, and never again")
_RANDOM = HostEffect("random", False, "drawn once, while JAX traces; every later call sees the same number")
_SEED = HostEffect("random", False, "seeds once, while JAX traces")
_SEEDED = HostEffect("random", False, "makes the same generator at every trace", seeded=True)
_ENV = HostEffect("env", False, "read once, while JAX traces; later changes are not seen")
_ENV_WRITE = HostEffect("env", False, "written once, while JAX traces")
_INPUT = HostEffect("input", False, "asks once, while JAX traces; every later call reuses the answer")
_PROCESS = HostEffect("process", False, "runs once, while JAX traces")
_NETWORK = HostEffect("network", False, "runs once, while JAX traces")
_TRACKER = HostEffect("experiment-logger", True, "logs once, while JAX traces, and is given a tracer")
_PROGRESS = HostEffect("progress", False, "counts the steps of the trace, not those of the run")
_HARMLESS = HostEffect("none")


def _effects(effect: HostEffect, names: str) -> dict[str, HostEffect]:
    return dict.fromkeys(names.split(), effect)


HOST_EFFECTS: dict[str, HostEffect] = (
    _effects(
        _PRINT,
        """
        builtins.print print pprint.pprint pprint.pp rich.print rich.pretty.pprint IPython.display.display
        sys.stdout.write sys.stderr.write sys.stdout.writelines sys.stderr.writelines
        """,
    )
    | _effects(
        _LOG,
        """
        logging.debug logging.info logging.warning logging.warn logging.error logging.exception logging.critical
        logging.fatal logging.log
        absl.logging.debug absl.logging.info absl.logging.warning absl.logging.warn absl.logging.error
        absl.logging.exception absl.logging.fatal absl.logging.log absl.logging.vlog absl.logging.log_every_n
        absl.logging.log_first_n absl.logging.log_if absl.logging.log_every_n_seconds
        loguru.logger.debug loguru.logger.info loguru.logger.success loguru.logger.warning loguru.logger.error
        loguru.logger.critical loguru.logger.exception loguru.logger.trace loguru.logger.log
        syslog.syslog
        """,
    )
    | _effects(_WARN, "warnings.warn warnings.warn_explicit")
    | _effects(
        _FILE,
        """
        pickle.dump json.dump yaml.dump
        numpy.save numpy.savez numpy.savez_compressed numpy.savetxt jax.numpy.save jax.numpy.savez
        joblib.dump
        """,
    )
    | _effects(
        _FILE_READ,
        """
        builtins.open open io.open codecs.open gzip.open bz2.open pickle.load json.load yaml.safe_load yaml.load
        numpy.load numpy.loadtxt numpy.genfromtxt numpy.fromfile jax.numpy.load
        tensorflow.io.gfile.GFile h5py.File
        """,
    )
    | _effects(
        _CLOCK,
        """
        time.time time.time_ns time.perf_counter time.perf_counter_ns time.monotonic time.monotonic_ns
        time.process_time time.process_time_ns time.thread_time time.thread_time_ns
        timeit.default_timer timeit.timeit timeit.repeat
        datetime.datetime.now datetime.datetime.utcnow datetime.datetime.today datetime.date.today
        """,
    )
    | _effects(_SLEEP, "time.sleep")
    | _effects(
        _RANDOM,
        """
        random.* numpy.random.* secrets.* os.urandom os.getrandom uuid.uuid1 uuid.uuid4
        torch.rand torch.randn torch.randint torch.randperm torch.bernoulli torch.normal torch.multinomial
        tensorflow.random.* scipy.stats.norm.rvs scipy.stats.uniform.rvs
        """,
    )
    | _effects(_SEED, "random.seed numpy.random.seed numpy.random.set_state random.setstate torch.manual_seed")
    | _effects(
        _SEEDED,
        """
        numpy.random.default_rng numpy.random.RandomState numpy.random.Generator numpy.random.SeedSequence
        numpy.random.PCG64 numpy.random.PCG64DXSM numpy.random.MT19937 numpy.random.Philox numpy.random.SFC64
        random.Random
        """,
    )
    | _effects(_HARMLESS, "numpy.random.get_state random.getstate secrets.compare_digest numpy.random.BitGenerator")
    | _effects(
        _ENV,
        "os.getenv os.getenvb os.environ.get os.environ.copy os.environ.items",
    )
    | _effects(_ENV_WRITE, "os.putenv os.unsetenv os.environ.update os.environ.setdefault os.environ.pop os.chdir")
    | _effects(_INPUT, "builtins.input input getpass.getpass sys.stdin.read sys.stdin.readline sys.stdin.readlines")
    | _effects(
        _PROCESS,
        """
        subprocess.* os.system os.popen os.spawnl os.spawnv os.execv os.fork os.kill
        os.mkdir os.makedirs os.remove os.unlink os.rename os.replace os.rmdir shutil.*
        """,
    )
    | _effects(_HARMLESS, "subprocess.list2cmdline subprocess.CalledProcessError shutil.which")
    | _effects(_NETWORK, "requests.* urllib.request.* socket.socket httpx.* http.client.*")
    | _effects(
        _TRACKER,
        """
        wandb.log wandb.summary.update wandb.run.log wandb.log_artifact wandb.alert
        mlflow.log_metric mlflow.log_metrics mlflow.log_param mlflow.log_params mlflow.log_artifact
        neptune.log_metric comet_ml.Experiment.log_metric
        tensorflow.summary.scalar tensorflow.summary.histogram tensorflow.summary.image tensorflow.summary.text
        """,
    )
    | _effects(
        _PROGRESS,
        """
        tqdm.tqdm tqdm.trange tqdm.auto.tqdm tqdm.auto.trange tqdm.notebook.tqdm tqdm.tqdm.write
        tqdm.std.tqdm rich.progress.track alive_progress.alive_bar
        """,
    )
)

# What these give is no host value by itself: whatever was stored, and one or some of what they are given.
STORED: frozenset[str] = frozenset({"pickle.load"})
PICKED: frozenset[str] = frozenset({"random.choice", "random.choices", "random.sample"})

# Methods of host objects, by the constructor or factory that makes the object; a method name of `*` is any method.
METHOD_EFFECTS: dict[str, tuple[frozenset[str], HostEffect]] = {
    "logging.getLogger": (
        frozenset("debug info warning warn error exception critical fatal log".split()),
        _LOG,
    ),
    "builtins.open": (frozenset(("write", "writelines")), _FILE),
    "io.open": (frozenset(("write", "writelines")), _FILE),
    "pathlib.Path": (frozenset(("write_text", "write_bytes")), _FILE),
    "io.StringIO": (frozenset("write writelines".split()), _BUFFER),
    "tqdm.tqdm": (frozenset("update set_description set_postfix write".split()), _PROGRESS),
    "torch.utils.tensorboard.SummaryWriter": (
        frozenset("add_scalar add_scalars add_histogram add_image add_images add_figure add_text add_hparams".split()),
        _TRACKER,
    ),
    "tensorboardX.SummaryWriter": (
        frozenset("add_scalar add_scalars add_histogram add_image add_images add_figure add_text add_hparams".split()),
        _TRACKER,
    ),
    "flax.metrics.tensorboard.SummaryWriter": (
        frozenset("scalar image audio histogram text write hparams".split()),
        _TRACKER,
    ),
    "wandb.init": (frozenset("log log_artifact alert".split()), _TRACKER),
    "csv.writer": (frozenset("writerow writerows".split()), _BUFFER),
}

# Generator and RandomState methods that draw (and so move the generator on).
NUMPY_RANDOM_METHODS: frozenset[str] = frozenset(
    """
    random integers choice bytes shuffle permutation permuted beta binomial chisquare dirichlet exponential f gamma
    geometric gumbel hypergeometric laplace logistic lognormal logseries multinomial multivariate_hypergeometric
    multivariate_normal negative_binomial noncentral_chisquare noncentral_f normal pareto poisson power rayleigh
    standard_cauchy standard_exponential standard_gamma standard_normal standard_t triangular uniform vonmises wald
    weibull zipf rand randn randint random_sample random_integers tomaxint spawn
    """.split()
)
NUMPY_GENERATORS: frozenset[str] = frozenset(
    {"numpy.random.default_rng", "numpy.random.RandomState", "numpy.random.Generator"}
)


def effect_of(name: str) -> HostEffect | None:
    """The effect of calling ``name``, or None when it has none that is known here."""
    if name in HOST_EFFECTS:
        effect = HOST_EFFECTS[name]
        return None if effect is _HARMLESS else effect
    parent = name
    while "." in parent:
        parent = parent.rpartition(".")[0]
        if (effect_below := HOST_EFFECTS.get(f"{parent}.*")) is not None:
            return effect_below
    return None
