"""Every failure is a `WaterDataError`, with the same members whatever happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import httpx
import pandas

if TYPE_CHECKING:
    from .retrieval import Answer


class WaterDataError(Exception):
    """The base of all errors of this package.

    `status` is that of HTTP, or None where there was no answer; `problem` is what the service said (RFC 9457);
    `retry_after` is how many seconds it asked to wait, or None; `retryable` says whether asking again may help.
    After an interruption `partial` has the records that came, and `resume()` goes on from there and returns what
    the function would have returned.
    """

    status: int | None = None
    problem: Mapping[str, Any] = MappingProxyType({})
    retry_after: float | None = None
    retryable = False
    partial: pandas.DataFrame | None = None
    _go_on: Callable[[], Answer] | None = None

    def resume(self) -> Answer:
        """Fetches what is missing; what came before is not asked for again."""
        if self._go_on is None:
            raise WaterDataError("There is nothing to go on with: call the function again.") from self
        return self._go_on()


class BadArgument(WaterDataError, ValueError):
    """An argument has no meaning here, or the service found that its value cannot be used."""


class KeyRefused(WaterDataError):
    """There is no key, or the service does not take it."""


class NotOffered(WaterDataError):
    """The service has no such operation, or no such item."""


class VersionGone(WaterDataError):
    """The service does not hold that version of the data any more: take the whole again."""


class TooManyRequests(WaterDataError):
    """The key has asked for more than it may, and waiting for longer was not allowed."""

    retryable = True


class ServiceBusy(WaterDataError):
    """The service could not answer now."""

    retryable = True


class ConnectionFailed(WaterDataError):
    """The service could not be reached, or an answer was cut off."""

    retryable = True


class Interrupted(WaterDataError, KeyboardInterrupt):
    """Somebody pressed Ctrl-C; it ends a program as ever, but keeps what came."""

    retryable = True


BY_STATUS = {
    400: BadArgument,
    401: KeyRefused,
    403: KeyRefused,
    404: NotOffered,
    410: VersionGone,
    429: TooManyRequests,
}


def raise_for_error(answer: httpx.Response) -> None:
    """Raises the error that an answer stands for, its sentences those of the service."""
    status = answer.status_code
    if status < 400:
        return
    answer.read()
    try:
        problem = dict(answer.json())
    except (ValueError, TypeError):
        problem = {}
    lines = [f"HTTP {status}: {problem.get('title', 'no reason was given')}. {problem.get('detail', '')}".strip()]
    lines += [f"  {one['parameter']} {one['message']} (found: {one['value']})" for one in problem.get("errors", ())]
    error = BY_STATUS.get(status, ServiceBusy if status >= 500 else WaterDataError)("\n".join(lines))
    error.status, error.problem = status, problem
    # 500 is a fault of the service, which the same request meets again.
    error.retryable = error.retryable and status != 500
    seconds = answer.headers.get("Retry-After", "")
    error.retry_after = float(seconds) if seconds.isdigit() else None
    raise error
