"""Every failure is a `WaterDataError`, with the same members whatever happened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import pandas

BY_STATUS: dict[int, type[WaterDataError]] = {}


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

    def __init_subclass__(cls, statuses: Iterable[int] = (), retryable: bool = False) -> None:
        BY_STATUS.update(dict.fromkeys(statuses, cls))
        cls.retryable = retryable

    def resume(self) -> tuple[pandas.DataFrame, Any]:
        """Fetches what is missing; what came before is not asked for again."""
        raise WaterDataError("There is nothing to resume: call the function again.") from self


class BadArgument(WaterDataError, ValueError, statuses=[400]):
    """An argument is unknown, or its value cannot be used."""


class NotFromService(WaterDataError):
    """Something else answered, such as a proxy's login page or a gateway."""


class KeyRefused(WaterDataError, statuses=[401, 403]):
    """There is no key, or the service does not take it."""


class NotOffered(WaterDataError, statuses=[404]):
    """The service has no such operation, or no such item."""


class VersionGone(WaterDataError, statuses=[410]):
    """The service does not hold that version of the data any more: take the whole again."""


class TooManyRequests(WaterDataError, statuses=[429], retryable=True):
    """The key has asked for more than it may, and waiting for longer was not allowed."""


class ServiceBusy(WaterDataError, statuses=range(500, 600), retryable=True):
    """The service could not answer now."""


class ConnectionFailed(WaterDataError, retryable=True):
    """The service could not be reached, or an answer was cut off."""


class NothingFound(UserWarning):
    """A question found nothing; the message has the hint of the service, such as the nearest terms that there are."""


class Interrupted(WaterDataError, KeyboardInterrupt, retryable=True):
    """Somebody pressed Ctrl-C; it ends a program as ever, but keeps what came."""
