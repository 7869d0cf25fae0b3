"""Asks the service: with the key, patiently, and never telling the key to anybody else."""

from __future__ import annotations

import hashlib
import os
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import urljoin, urlsplit

import httpx

from .arguments import Query
from .errors import BadArgument, ConnectionFailed, KeyRefused, WaterDataError, error_of
from .progress import Progress

T = TypeVar("T")

#: How often one request is sent, and how many seconds are waited between its attempts in all.
TRIES = 60
PATIENCE = 120.0
REDIRECTS = 5
TIMEOUT = httpx.Timeout(30.0, read=180.0)
CHUNK_BYTES = 1 << 20
#: Files are compressed in themselves.
AS_IT_IS = {"Accept-Encoding": "identity"}
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def configuration_folder() -> Path:
    return _folder("XDG_CONFIG_HOME", ".config", "APPDATA")


def cache_folder() -> Path:
    chosen = os.environ.get("WATER_DATA_CACHE")
    return Path(chosen) if chosen else _folder("XDG_CACHE_HOME", ".cache", "LOCALAPPDATA")


def _folder(variable: str, below_home: str, on_windows: str) -> Path:
    chosen = os.environ.get(on_windows if sys.platform == "win32" else variable)
    return (Path(chosen) if chosen else Path.home() / below_home) / "waterdataquery"


def find_url(url: str | None) -> str:
    found = (url or os.environ.get("WATER_DATA_URL") or "").rstrip("/")
    parts = urlsplit(found)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise BadArgument("Say where the service is: url='https://HOST', or the environment variable WATER_DATA_URL.")
    if parts.query or parts.fragment or parts.username:
        raise BadArgument("The address of the service has neither a query nor a key in it: give the key by itself.")
    if parts.scheme == "http" and parts.hostname not in LOOPBACK:
        raise BadArgument(f"The key would go over the network in clear text: write https://{parts.netloc}.")
    return found


def find_key(key: str | None) -> str:
    found = key or os.environ.get("WATER_DATA_KEY")
    file = configuration_folder() / "key"
    if not found and file.is_file():
        found = file.read_text("utf-8")
    if not found or not found.strip():
        raise KeyRefused(f"There is no key: give key=, set WATER_DATA_KEY, or write it into {file}.")
    return found.strip()


class Connection:
    """To one service with one key. Several threads may ask at the same time."""

    def __init__(
        self,
        url: str | None = None,
        key: str | None = None,
        patience: float | None = None,
        progress: bool | None = None,
    ) -> None:
        self.url = find_url(url)
        self.progress = Progress(progress)
        self._origin = httpx.URL(self.url)
        self._key = find_key(key)
        self._patience = PATIENCE if patience is None else patience
        self._stopped = threading.Event()
        self._client = httpx.Client(timeout=TIMEOUT, headers={"User-Agent": "waterdataquery-python"})

    def address(self, path: str, query: Query) -> str:
        return str(httpx.URL(self.url + path, params=query or None))

    def get(self, path: str, query: Query | None = None, *, accept: str = "application/json") -> httpx.Response:
        """The whole answer; errors of the service are raised."""

        def once() -> httpx.Response:
            with self._open(self.address(path, query or []), {"Accept": accept}) as answer:
                answer.read()
                return answer

        return self.patiently(once)

    def save_file(self, path: str, file: Path, length: int, sha256: str, said: Callable[[int], None]) -> None:
        """Takes a file that never changes; a cut goes on where it was, also in a later call."""
        part = file.with_name(file.name + ".part")

        def rest() -> None:
            have = part.stat().st_size if part.exists() else 0
            if have >= length:
                return
            # Attempts are counted anew as long as each brings something.
            while True:
                try:
                    headers = {**AS_IT_IS, **({"Range": f"bytes={have}-"} if have else {})}
                    with self._open(self.url + path, headers) as answer:
                        mode = "ab" if answer.status_code == 206 else "wb"
                        with part.open(mode) as out:
                            _copy(answer, out.write, said)
                    return
                except ConnectionFailed:
                    now = part.stat().st_size if part.exists() else 0
                    if now <= have:
                        raise
                    have = now

        self.patiently(rest)
        digest = hashlib.sha256()
        with part.open("rb") as content:
            while chunk := content.read(CHUNK_BYTES):
                digest.update(chunk)
        if digest.hexdigest() != sha256:
            part.unlink()
            raise ConnectionFailed(f"{path} did not come as it was sent: its SHA-256 is another. Ask again.")
        part.replace(file)

    def patiently(self, once: Callable[[], T]) -> T:
        """Tries again after cuts, 429 and 503, waiting as the service asks, as long as patience lasts."""
        waited = 0.0
        for attempt in range(1, TRIES + 1):
            try:
                return once()
            except WaterDataError as error:
                pause = min(0.05 * 2**attempt, 1.0) if error.retry_after is None else error.retry_after
                if not error.retryable or attempt == TRIES or waited + pause > self._patience:
                    raise
                waited += pause
                if self._stopped.wait(pause):
                    raise
        raise AssertionError("The last attempt returns or raises.")

    def stop(self) -> None:
        """Ends the waits of other threads after an interruption."""
        self._stopped.set()

    def go_on(self) -> None:
        self._stopped.clear()

    @contextmanager
    def _open(self, address: str, headers: Mapping[str, str]) -> Iterator[httpx.Response]:
        """Follows redirects, with the key only where it belongs."""
        try:
            for _ in range(REDIRECTS):
                own = {"X-API-Key": self._key} if self._is_service(address) else {}
                with self._client.stream("GET", address, headers={**headers, **own}) as answer:
                    if answer.is_redirect:
                        address = urljoin(address, answer.headers["Location"])
                        continue
                    if answer.is_error:
                        raise _error_in(answer)
                    yield answer
                    return
            raise ConnectionFailed("The service sends from one address to the next without an end.")
        except httpx.HTTPError as error:
            raise ConnectionFailed(f"{self.url} did not answer completely: {error or type(error).__name__}") from error

    def _is_service(self, address: str) -> bool:
        other = httpx.URL(address)
        return (other.scheme, other.host, other.port) == (self._origin.scheme, self._origin.host, self._origin.port)


def _copy(answer: httpx.Response, write: Callable[[bytes], object], said: Callable[[int], None]) -> None:
    came = 0
    for chunk in answer.iter_raw():
        write(chunk)
        came += len(chunk)
        said(came)


def _error_in(answer: httpx.Response) -> WaterDataError:
    answer.read()
    try:
        problem: Any = answer.json()
    except ValueError:
        problem = {}
    retry_after = answer.headers.get("Retry-After", "")
    seconds = float(retry_after) if retry_after.isdigit() else None
    return error_of(answer.status_code, problem if isinstance(problem, dict) else {}, seconds)
