"""A line that says how far a transfer is, on terminals and in notebooks."""

from __future__ import annotations

import sys
import time


class Progress:
    """Says nothing during the first second, and nothing at all where nobody looks, unless `shown` says so."""

    def __init__(self, shown: bool | None) -> None:
        self._shown = (sys.stderr.isatty() or "ipykernel" in sys.modules) if shown is None else shown
        self._delay = 0.0 if shown else 1.0
        self._started = time.monotonic()
        self._last = 0.0
        self._width = 0

    def say(self, text: str) -> None:
        now = time.monotonic()
        if not self._shown or now - self._started < self._delay or now - self._last < 0.1:
            return
        self._last = now
        self._write(text)

    def end(self) -> None:
        if self._width:
            self._write("")

    def _write(self, text: str) -> None:
        print("\r" + text.ljust(self._width), end="\r" if not text else "", file=sys.stderr, flush=True)
        self._width = len(text)
