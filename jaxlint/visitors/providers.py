"""Metadata providers of libcst that say what JAX makes of each node of a module.

    class Sleeps(cst.CSTVisitor):
        METADATA_DEPENDENCIES = (TracingProvider,)

        def visit_Call(self, node):
            if self.get_metadata(TracingProvider, node.func).name == "time.sleep": ...

    MetadataWrapper(module).visit(Sleeps())

A module that is wrapped alone is a program of its own.  With a cache (libcst's `FullRepoManager`, Fixit, or
`jaxlint.cst.wrap`) it is the file of that path among those of its program.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import libcst as cst
from libcst import MetadataDependent
from libcst.metadata import BaseMetadataProvider, MetadataWrapper, ProviderT

from jaxlint.checks.seen import KeyView
from jaxlint.visitors.knowledge import About, Answer, Answers, Knowledge, Tracing, of_module


class AboutProvider(BaseMetadataProvider[Answer]):
    """What the providers have in common: one analysis of a module for all of them.

    The cache is the path of the module's file, what is known of it, by its nodes or not, or None.
    """

    ANSWERS: ClassVar[type[Answers[Any]]]
    OF_FINDINGS: ClassVar[bool] = False
    _latest: ClassVar[tuple[cst.Module | None, object, About | None]] = (None, None, None)

    def __init__(self, cache: object = None) -> None:
        self._about = cache
        super().__init__(cache or "")  # unlike libcst's own providers these do without

    @classmethod
    def gen_cache(cls, root_path: Path, paths: list[str], **options: Any) -> Mapping[str, object]:
        """The absolute path of each file; libcst calls it for those who look at a whole repository."""
        return {path: str((Path(root_path) / path).resolve()) for path in paths}

    def _gen(self, wrapper: MetadataWrapper) -> Mapping[cst.CSTNode, Answer]:
        return self.ANSWERS(self._about_module(wrapper.module))

    def _about_module(self, module: cst.Module) -> About:
        known, cache, about = AboutProvider._latest
        if known is not module or cache != self._about or about is None:
            if isinstance(self._about, About):
                about = self._about
            elif isinstance(self._about, Knowledge):
                about = self._about.about(module)
            else:
                about = of_module(module, None if self._about is None else str(self._about))
            AboutProvider._latest = (module, self._about, about)
        return about


class _Tracings(Answers[Tracing]):
    def answer(self, node: cst.CSTNode) -> Tracing:
        return self.about.tracing(node)


class TracingProvider(AboutProvider[Tracing]):
    """For every node of a module a `Tracing`: traced since where and why, static, concrete, under which transforms."""

    ANSWERS = _Tracings


class _Keys(Answers["KeyView | None"]):
    def answer(self, node: cst.CSTNode) -> KeyView | None:
        keys = [view.key for view in self.about.views(node) if view.key is not None]
        return max(keys, key=lambda key: len(key.before), default=None)


class KeyProvider(AboutProvider["KeyView | None"]):
    """For every node of a module a `KeyView` where it is a PRNG key: where it was made, and its uses; else None."""

    ANSWERS = _Keys


class Wrapper(MetadataWrapper):
    """A module with jaxlint's metadata, of which ``known`` tells, and all of libcst's.

    libcst walks the whole tree once more for each provider that is no visitor; ours need no walk.
    """

    def __init__(self, module: cst.Module, known: object, providers: Iterable[ProviderT], copies: bool = False) -> None:
        super().__init__(module, not copies, dict.fromkeys(providers, known))
        self._known = known
        self._answers: dict[ProviderT, Mapping[cst.CSTNode, object]] = {}

    def resolve_many(self, providers: Collection[ProviderT]) -> Mapping[ProviderT, Mapping[cst.CSTNode, object]]:
        ours = [provider for provider in providers if issubclass(provider, AboutProvider)]
        for provider in ours:
            if provider not in self._answers:
                self._answers[provider] = provider(self._known)._gen(self)
        others = [provider for provider in providers if provider not in ours]
        return {**super().resolve_many(others), **{provider: self._answers[provider] for provider in ours}}


PROVIDERS: tuple[type[AboutProvider[Any]], ...] = (TracingProvider, KeyProvider)


def providers_of(visitor: type[MetadataDependent]) -> Iterator[type[AboutProvider[Any]]]:
    """Those of jaxlint's providers that a visitor, or a provider that it depends on, asks."""
    waiting: list[type[MetadataDependent]] = [visitor]
    met: set[type[MetadataDependent]] = set()
    while waiting:
        one = waiting.pop()
        if issubclass(one, AboutProvider):
            yield one
        if one not in met:
            met.add(one)
            waiting += one.get_inherited_dependencies()
