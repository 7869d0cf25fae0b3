"""Starts the real service from the built project, and a proxy in front of it that produces faults."""

from __future__ import annotations

import http.client
import os
import re
import subprocess
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

PROJECT = Path(__file__).resolve().parents[3]
NODE = PROJECT / "node_modules/node/bin/node"
BUNDLE = PROJECT / "dist/bundle"
SAMPLES = PROJECT / "data-loaders/samples"


class Service:
    """`npm start` with a temporary data folder; without samples it is empty until a test loads data."""

    def __init__(self, folder: Path, *, samples: bool, settings: dict[str, str] | None = None) -> None:
        self._environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("WATER_")},
            "WATER_DATA_DIR": str(folder),
            "LOAD_SAMPLES": str(samples).lower(),
            "HOLD_SUBMISSIONS": "false",
            "PORT": "0",
            "WORKERS": "1",
            **(settings or {}),
        }
        self._process = subprocess.Popen(
            [NODE, BUNDLE / "local-host.js"], env=self._environment, stdout=subprocess.PIPE, text=True, cwd=PROJECT
        )
        line = ""
        assert self._process.stdout is not None
        while not (found := re.search(r"(http://\S+)/explore#key=(\S+)", line)):
            line = self._process.stdout.readline()
            assert line, "The service ended before it said its address."
        self.url, self.key = found[1], found[2]
        threading.Thread(target=self._process.stdout.read, daemon=True).start()

    def load(self, folder: Path) -> None:
        self._run("load.js", folder)

    def issue_key(self, organization: str) -> str:
        words = (NODE, BUNDLE / "keys.js", "issue", "--owner", "Data manager", "--submits", organization)
        said = subprocess.run(words, env=self._environment, check=True, capture_output=True, cwd=PROJECT, text=True)
        return said.stdout.split()[-1]

    def make_files(self) -> None:
        """Runs the job that the service itself would run a minute after a publish."""
        self._run("releases.js", "files")

    def _run(self, *words: str | Path) -> None:
        words = (NODE, BUNDLE / words[0], *words[1:])
        subprocess.run(words, env=self._environment, check=True, capture_output=True, cwd=PROJECT)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(30)


class Reply:
    """What the proxy does instead of passing a request on: send its own answer, or cut the connection."""

    def __init__(
        self, status: int = 0, headers: dict[str, str] | None = None, cut_after: int | None = None, body: bytes = b""
    ) -> None:
        self.status, self.headers, self.cut_after, self.body = status, headers or {}, cut_after, body


class Proxy:
    """Passes requests on. `fault` is called for each path; None passes it on. `seen` has path, headers and size."""

    def __init__(self, service: Service) -> None:
        self.fault: Callable[[str], Reply | None] = lambda _path: None
        self.seen: list[tuple[str, dict[str, str]]] = []
        #: Paths and bodies of the POST requests.
        self.posted: list[tuple[str, str]] = []
        self.bytes = 0
        proxy, target = self, urlsplit(service.url).netloc

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                self.do_GET()

            def do_GET(self) -> None:
                proxy.seen.append((self.path, dict(self.headers)))
                sent_body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
                if self.command == "POST":
                    proxy.posted.append((self.path, sent_body.decode()))
                reply = proxy.fault(self.path)
                if reply is not None and reply.status:
                    self.send_response(reply.status)
                    for name, value in {"Content-Length": str(len(reply.body)), **reply.headers}.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(reply.body)
                    return
                connection = http.client.HTTPConnection(target)
                connection.request(
                    self.command, self.path, body=sent_body or None, headers={**dict(self.headers), "Host": target}
                )
                answer = connection.getresponse()
                body = answer.read()
                connection.close()
                self.send_response(answer.status)
                for name, value in answer.getheaders():
                    if name.lower() not in ("transfer-encoding", "connection", "content-length", "keep-alive"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                sent = body if reply is None or reply.cut_after is None else body[: reply.cut_after]
                self.wfile.write(sent)
                proxy.bytes += len(sent)
                self.close_connection = len(sent) < len(body)

            def log_message(self, *_: object) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()
