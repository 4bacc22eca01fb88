"""Calls that do not come back: they end the process, the test, or the path with an exception."""

from __future__ import annotations

NEVER_RETURN = frozenset(
    """
    builtins.exit builtins.quit sys.exit os._exit os.abort
    os.execl os.execle os.execlp os.execlpe os.execv os.execve os.execvp os.execvpe
    pytest.exit pytest.fail pytest.skip pytest.xfail absl.logging.fatal typing.assert_never
    """.split()
)
"""Functions (the documentation of Python, pytest and absl)."""

AS_WRITTEN = NEVER_RETURN | {name.removeprefix("builtins.") for name in NEVER_RETURN}
"""The same as code spells them that has imported their modules."""

METHODS_NEVER_RETURN = {
    "argparse.ArgumentParser": frozenset(("error", "exit")),
}
"""Methods of what a class of a library makes."""
