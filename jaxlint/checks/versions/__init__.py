"""JAX801 removed-api and JAX802 deprecated-api: names that JAX took away or has announced to.

The check is syntactic: it needs one module's tree, resolves that module's imports itself, and runs no interpreter.
"""

from jaxlint.checks.versions.abandoned import cannot_start
from jaxlint.checks.versions.removed_api import Reference, check_module, findings, may_mention
from jaxlint.checks.versions.uses import ModuleUses

__all__ = ["ModuleUses", "Reference", "cannot_start", "check_module", "findings", "may_mention"]
