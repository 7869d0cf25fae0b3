"""Every failure is a `WaterDataError`. All of them have the same members."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any

import pandas

BY_STATUS: dict[int, type[WaterDataError]] = {}


class WaterDataError(Exception):
    """The base of all errors of this package.

    `status` is the HTTP status, or None without an answer; `problem` is the service's problem document (RFC 9457);
    `retry_after` is the wait in seconds that the service asked for, or None; `retryable` says whether retrying may
    help. After an interruption `partial` has the records fetched so far, and `resume()` fetches the rest and returns
    what the function would have returned.
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
        """Fetches the missing records. Records that were already fetched are not requested again."""
        raise WaterDataError("There is nothing to resume: call the function again.") from self


class BadArgument(WaterDataError, ValueError, statuses=[400]):
    """An argument is unknown, or its value cannot be used."""


class NotFromService(WaterDataError):
    """Another server answered, such as a gateway or a proxy's login page."""


class KeyRefused(WaterDataError, statuses=[401, 403]):
    """The key is missing, or the service refused it."""


class NotOffered(WaterDataError, statuses=[404]):
    """The service has no such operation, or no such item."""


class VersionGone(WaterDataError, statuses=[410]):
    """The service no longer has that version of the data: fetch everything again."""


class TooManyRequests(WaterDataError, statuses=[429], retryable=True):
    """The key exceeded its limits, and the required wait is longer than the patience."""


class ServiceBusy(WaterDataError, statuses=range(500, 600), retryable=True):
    """The service is temporarily unable to answer."""


class ConnectionFailed(WaterDataError, retryable=True):
    """The service could not be reached, or an answer was cut off."""


class NothingFound(UserWarning):
    """A query found nothing; the message has the service's hint, such as the nearest known terms."""


class Interrupted(WaterDataError, KeyboardInterrupt, retryable=True):
    """The user pressed Ctrl-C. It ends a program as usual, but keeps the records fetched so far."""
