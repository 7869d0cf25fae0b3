"""How long a call waits in total, and which failures waiting cannot fix."""

from __future__ import annotations

import socket
import ssl
import sys
import threading

import httpx

from .errors import ConnectionFailed, WaterDataError

#: How many seconds a refused connection is retried at the first request: the service may just be restarting.
REFUSED_SECONDS = 3.0

#: The number of seconds of waiting after which the user is told the reason.
SILENT_SECONDS = 3.0


class Patience:
    """Counts the seconds of a call without data: failed attempts and waits. Overlaps of threads count once."""

    def __init__(self, limit: float, speaks: bool) -> None:
        self.limit = limit
        self._speaks = speaks
        self._lock = threading.Lock()
        self.begin()

    def begin(self) -> None:
        self._spent = 0.0
        self._counted_until = 0.0
        self._next_word = SILENT_SECONDS

    def remaining(self) -> float:
        return max(0.0, self.limit - self._spent)

    def spend(self, since: float, until: float) -> None:
        """Counts a period between two values of time.monotonic()."""
        with self._lock:
            self._spent += max(0.0, until - max(since, self._counted_until))
            self._counted_until = max(self._counted_until, until)

    def tell(self, error: WaterDataError, wait: float) -> None:
        """Prints the reason for a wait of more than a few seconds."""
        if not self._speaks or self._spent + wait < self._next_word:
            return
        self._next_word = self._spent + wait + 10
        reason = str(error).splitlines()[0]
        print(f"Waiting ({self.remaining():.0f} s of patience left): {reason}", file=sys.stderr, flush=True)


def failure_of(url: str, cause: httpx.HTTPError, *, is_first: bool) -> ConnectionFailed:
    """The error for an attempt without an answer. Its `lasting` is true if another attempt cannot help.

    At the first request the host name or address is probably wrong; later the network may recover.
    """
    said = f"{cause}" or type(cause).__name__
    roots = _causes(cause)
    lasting = True
    if isinstance(cause, httpx.ProxyError):
        sentence = f"The proxy refused the connection to {url}: {said}. Check HTTPS_PROXY and NO_PROXY."
    elif any(isinstance(one, ssl.SSLCertVerificationError) for one in roots):
        setting = "set SSL_CERT_FILE to the file with your agency's certificate (PEM)"
        sentence = f"The certificate of {url} is not trusted: {said}. If your agency uses a proxy, {setting}."
    elif any(isinstance(one, ssl.SSLError) for one in roots) and isinstance(cause, httpx.ConnectError):
        sentence = f"No secure connection to {url} is possible: {said}. Check whether it is https:// and the port."
    elif isinstance(cause, (httpx.UnsupportedProtocol, httpx.TooManyRedirects, httpx.InvalidURL)):
        sentence = f"{url} cannot be requested: {said}. Check url= or WATER_DATA_URL."
    elif any(isinstance(one, socket.gaierror) for one in roots):
        sentence = f"The host name in {url} is unknown: {said}. Check url= or WATER_DATA_URL, and your network."
        lasting = is_first
    elif isinstance(cause, (httpx.ConnectError, httpx.ConnectTimeout)):
        advice = "Check url= or WATER_DATA_URL and its port; a firewall may need HTTPS_PROXY."
        sentence = f"Could not connect to {url}: {said}. {advice}"
        lasting = is_first and isinstance(cause, httpx.ConnectTimeout)
    else:
        sentence = f"{url} did not answer completely: {said}"
        lasting = False
    error = ConnectionFailed(sentence)
    error.retryable = not lasting
    return error


def _causes(error: BaseException) -> list[BaseException]:
    found: list[BaseException] = []
    current: BaseException | None = error
    while current is not None and current not in found:
        found.append(current)
        current = current.__cause__ or current.__context__
    return found
