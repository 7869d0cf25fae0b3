"""HTTP requests to the service, with the key and with retries. The key is sent to no other host."""

import datetime
import hashlib
import os
import sys
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote, urlencode, urlsplit

import httpx

from .answers import foreign_sentence, raise_for_error, require_data, require_file
from .arguments import Query, require_seconds, require_switch
from .errors import BadArgument, ConnectionFailed, KeyRefused, NotFromService, WaterDataError
from .patience import REFUSED_SECONDS, Patience, failure_of

T = TypeVar("T")

#: Some cloud gateways limit addresses to 8 KB and query strings to 4 KB. A longer query is sent in the body.
LONGEST_ADDRESS = 4000

FORM_TYPE = "application/x-www-form-urlencoded"

#: The total time in seconds that a call may spend without receiving data.
PATIENCE = 120.0

#: The timeout for a connection, and the longest pause within an answer, in seconds.
CONNECT_SECONDS = 10.0
STALL_SECONDS = 180.0

#: The shortest timeout of an attempt, in seconds, even if less patience is left.
SHORTEST_ATTEMPT = 3.0


def cache_folder() -> Path:
    return Path(os.environ.get("WATER_DATA_CACHE") or _folder("XDG_CACHE_HOME", ".cache", "LOCALAPPDATA"))


def _folder(variable: str, below_home: str, on_windows: str) -> Path:
    chosen = os.environ.get(on_windows if sys.platform == "win32" else variable)
    return (Path(chosen) if chosen else Path.home() / below_home) / "waterdataquery"


def find_url(url: str | None) -> str:
    if url is not None and not isinstance(url, str):
        raise BadArgument(f"url must be a text such as 'https://HOST', not {url!r}.")
    found = (url or os.environ.get("WATER_DATA_URL") or "").strip().rstrip("/")
    if not found:
        raise BadArgument("Set the address of the service: url='https://HOST', or the variable WATER_DATA_URL.")
    parts = urlsplit(found)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise BadArgument(f'The address of the service (url=) needs https:// or http://: "{found}".')
    if parts.query or parts.fragment or parts.username:
        raise BadArgument("The address of the service must not contain a query or a key: set the key separately.")
    if parts.scheme == "http" and parts.hostname not in ("127.0.0.1", "localhost", "::1"):
        raise BadArgument(f"The key would be sent in clear text: write https://{parts.netloc}.")
    try:
        return str(httpx.URL(found))
    except httpx.InvalidURL as cause:
        raise BadArgument(f"The address of the service (url=) is invalid: {found!r}: {cause}.") from cause


def find_key(key: str | None) -> str:
    if key is not None and not isinstance(key, str):
        raise BadArgument(f"key must be a text, not of type {type(key).__name__}.")
    found = key or os.environ.get("WATER_DATA_KEY")
    file = _folder("XDG_CONFIG_HOME", ".config", "APPDATA") / "key"
    if not found and file.is_file():
        found = file.read_text("utf-8")
    if not found or not found.strip():
        raise KeyRefused(f"There is no key: set key=, set WATER_DATA_KEY, or write it into {file}.")
    return found.strip()


class Connection:
    """A connection to one service with one key. Several threads may use it at the same time."""

    def __init__(
        self, url: str | None = None, key: str | None = None, patience: float = PATIENCE, progress: bool | None = None
    ) -> None:
        require_seconds("patience", patience)
        if progress is not None:
            require_switch("progress", progress)
        self.url = find_url(url)
        #: The version of the first answer. All later requests ask for this version, even if a new version is published
        #: meanwhile.
        self.data_version: str | None = None
        self.opened_at = datetime.datetime.now(datetime.timezone.utc)
        #: After an interruption this event ends the waits of the other threads.
        self.stopped = threading.Event()
        self.say = progress_line(progress)
        self.patience = Patience(float(patience), speaks=progress is not False)
        self._has_answered = False
        self._key = find_key(key)
        self._client = httpx.Client(
            timeout=httpx.Timeout(STALL_SECONDS, connect=CONNECT_SECONDS),
            headers={"User-Agent": "waterdataquery-python"},
            follow_redirects=True,
            event_hooks={"request": [self._give_key], "response": [raise_for_error]},
        )

    def address(self, path: str, query: Query) -> str:
        """Adds the data version to the address, once it is known."""
        is_named = self.data_version is None or any(name == "DataVersion" for name, _ in query)
        asked = query if is_named else [*query, ("DataVersion", self.data_version)]
        address = self.url + path
        # httpx refuses addresses longer than 64 KB.
        return f"{address}?{urlencode(asked, quote_via=quote)}" if asked else address

    def begin(self) -> None:
        """Clears the stop event and restarts the patience. Called when a call starts or resumes."""
        self.stopped.clear()
        self.patience.begin()

    def get(self, path: str, query: Query | None) -> httpx.Response:
        """Returns the whole answer and raises errors of the service. Without a query it asks for the current data."""
        address = self.url + path if query is None else self.address(path, query)
        answer = self.patiently(lambda: self._ask(address))
        self.data_version = self.data_version or answer.headers.get("Data-Version")
        return answer

    def _ask(self, address: str) -> httpx.Response:
        headers = {"Accept": "application/json"}
        if len(address) <= LONGEST_ADDRESS:
            answer = self._client.get(address, headers=headers, timeout=self._timeout())
        else:
            operation, _, form = address.partition("?")
            headers["Content-Type"] = FORM_TYPE
            answer = self._client.post(operation, content=form, headers=headers, timeout=self._timeout())
        require_data(answer)
        return answer

    def exchange(self, method: str, path: str, seconds: float = STALL_SECONDS, **body: Any) -> httpx.Response:
        """One request of an operation that answers JSON without a data version; raises errors of the service."""
        headers = {"Accept": "application/json", **body.pop("headers", {})}
        timeout = httpx.Timeout(seconds, connect=CONNECT_SECONDS)
        answer = self._client.request(method, self.url + path, headers=headers, timeout=timeout, **body)
        if not answer.headers.get("Content-Type", "").startswith("application/json"):
            raise NotFromService(foreign_sentence(answer))
        return answer

    def _timeout(self) -> httpx.Timeout:
        """A timeout that ends no later than the remaining patience."""
        most = max(SHORTEST_ATTEMPT, self.patience.remaining())
        return httpx.Timeout(min(STALL_SECONDS, most), connect=min(CONNECT_SECONDS, most))

    def save_file(self, listed: Mapping[str, Any], file: Path) -> None:
        """Downloads a file that never changes. A download that was cut off is resumed, also by a later call."""
        path, length, sha256 = listed["Path"], listed["Bytes"], listed["SHA256"]
        part = file.with_name(f"{sha256}.part")
        part.touch()
        last_bytes = [0.0]

        def take_rest() -> None:
            # These files are already compressed.
            headers = {"Accept-Encoding": "identity", "Range": f"bytes={part.stat().st_size}-"}
            with self._client.stream("GET", self.url + path, headers=headers, timeout=self._timeout()) as answer:
                require_file(answer)
                with part.open("ab" if answer.status_code == 206 else "wb") as out:
                    for chunk in answer.iter_raw():
                        out.write(chunk)
                        last_bytes[0] = time.monotonic()
                        self.say(f"{file.name}: {out.tell() / 1e6:,.1f} of {length / 1e6:,.1f} MB")

        if part.stat().st_size < length:
            self.patiently(take_rest, lambda: last_bytes[0])
        digest = hashlib.sha256()
        with part.open("rb") as content:
            while chunk := content.read(1 << 20):
                digest.update(chunk)
        if digest.hexdigest() != sha256:
            part.unlink()
            raise ConnectionFailed(f"{path} was damaged during the transfer: its SHA-256 differs. Try again.")
        part.replace(file)

    def patiently(self, ask: Callable[[], T], last_bytes: Callable[[], float] = lambda: 0.0) -> T:
        """Retries after broken connections, 429 and 503, with the wait that the service asks for, within the patience.

        Other errors are raised at once. `last_bytes` returns the time at which data last arrived.
        """
        pause = 0.05
        while True:
            started = time.monotonic()
            try:
                answer = ask()
            except (WaterDataError, httpx.HTTPError) as cause:
                error = self._error_of(cause)
                self.patience.spend(max(started, last_bytes()), time.monotonic())
                pause = min(2 * pause, 1.0)
                wait = error.retry_after or pause
                if not error.retryable or wait > self._seconds_left(cause):
                    raise error from (cause if error is not cause else cause.__cause__)
                self.patience.tell(error, wait)
                self.patience.spend(time.monotonic(), time.monotonic() + wait)
                if self.stopped.wait(wait):
                    raise error from (cause if error is not cause else cause.__cause__)
            else:
                self._has_answered = True
                return answer

    def _error_of(self, cause: WaterDataError | httpx.HTTPError) -> WaterDataError:
        if isinstance(cause, WaterDataError):
            self._has_answered = True
            return cause
        return failure_of(self.url, cause, is_first=not self._has_answered)

    def _seconds_left(self, cause: Exception) -> float:
        """How many seconds to keep trying; only a few if the service has never answered."""
        left = self.patience.remaining()
        is_unreached = isinstance(cause, httpx.ConnectError) and not self._has_answered
        return left - max(0.0, self.patience.limit - REFUSED_SECONDS) if is_unreached else left

    def _give_key(self, request: httpx.Request) -> None:
        """Sends the key to the service only: httpx copies headers to the target of a redirect."""
        request.headers.pop("X-API-Key", None)
        if str(request.url).startswith(f"{self.url}/"):
            request.headers["X-API-Key"] = self._key


def progress_line(shown: bool | None) -> Callable[[str], None]:
    """Prints the progress in terminals and notebooks; not in the first second, unless `shown` is true."""
    visible = (sys.stderr.isatty() or "ipykernel" in sys.modules) if shown is None else shown
    next_time = time.monotonic() + (0 if shown else 1)
    width = 0

    def say(text: str) -> None:
        nonlocal next_time, width
        if visible and (time.monotonic() > next_time if text else width):
            next_time = time.monotonic() + 0.1
            print("\r" + text.ljust(width), end="" if text else "\r", file=sys.stderr, flush=True)
            width = len(text)

    return say
