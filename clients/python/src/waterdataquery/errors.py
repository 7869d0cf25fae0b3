"""Every failure is a `WaterDataError`, with the same members whatever happened."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import pandas

    from .retrieval import Metadata


class WaterDataError(Exception):
    """The base of all errors of this package.

    `status` is that of HTTP, or None where there was no answer; `problem` is what the service said (RFC 9457);
    `retry_after` is how many seconds it asked to wait, or None; `retryable` says whether asking again may help.
    After an interruption `partial` has the records that came, and `resume()` goes on from there and returns what
    the function would have returned.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        problem: Mapping[str, Any] | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message)
        self.status = status
        self.problem = problem or {}
        self.retry_after = retry_after
        # 500 is a fault of the service, which the same request meets again.
        self.retryable = isinstance(self, PASSING) and status != 500
        self.partial: pandas.DataFrame | None = None
        self._go_on: Callable[[], tuple[pandas.DataFrame, Metadata]] | None = None

    def resume(self) -> tuple[pandas.DataFrame, Metadata]:
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


class ServiceBusy(WaterDataError):
    """The service could not answer now."""


class ConnectionFailed(WaterDataError):
    """The service could not be reached, or an answer was cut off."""


class Interrupted(WaterDataError, KeyboardInterrupt):
    """Somebody pressed Ctrl-C; it ends a program as ever, but keeps what came."""


PASSING = (TooManyRequests, ServiceBusy, ConnectionFailed, Interrupted)

BY_STATUS: Mapping[int, type[WaterDataError]] = {
    400: BadArgument,
    401: KeyRefused,
    403: KeyRefused,
    404: NotOffered,
    410: VersionGone,
    429: TooManyRequests,
}


def error_of(status: int, problem: Mapping[str, Any], retry_after: float | None) -> WaterDataError:
    """The error that stands for an answer with this status, its sentences those of the service."""
    lines = [f"HTTP {status}: {problem.get('title', 'no reason was given')}. {problem.get('detail', '')}".strip()]
    lines += [f"  {one['parameter']} {one['message']} (found: {one['value']})" for one in problem.get("errors", ())]
    error_type = BY_STATUS.get(status, ServiceBusy if status >= 500 else WaterDataError)
    return error_type("\n".join(lines), status=status, problem=problem, retry_after=retry_after)
