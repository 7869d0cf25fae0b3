"""Error messages for failures on both sides: no server, an untrusted certificate, a proxy's page, a gateway."""

import datetime
import email.utils
import socket
import ssl
import subprocess
import threading
import time

import pandas
import pytest
from service import Reply

import waterdataquery as water

PAGE = b"<!DOCTYPE html><title>Sign in</title>"
HTML = {"Content-Type": "text/html"}
JSON = {"Content-Type": "application/json"}

#: A call of each function that sends requests.
CALLS = {
    "get_sites": lambda **more: water.get_sites(state="UT", **more),
    "get_allocations": lambda **more: water.get_allocations(state="CO", **more),
    "get_totals": lambda **more: water.get_totals("allocations", **more),
    "get_facets": lambda **more: water.get_facets("allocations", "county", **more),
    "get_terms": lambda **more: water.get_terms(**more),
    "find": lambda **more: water.find("bear", **more),
    "query": lambda **more: water.query("sites", "State = 'UT'", **more),
    "download": lambda **more: water.download("allocations", "X", **more),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
@pytest.mark.parametrize(
    ("reply", "error_class", "words"),
    [
        (Reply(200, HTML, body=PAGE), water.NotFromService, ["a web page", "Sign in"]),
        (Reply(200, JSON), water.NotFromService, ["an empty answer"]),
        (Reply(200, JSON, body=b'{"a": 1}'), water.NotFromService, ["JSON"]),
        (Reply(200, {"Content-Type": "text/plain"}, body=b"blocked"), water.NotFromService, ["blocked"]),
        (Reply(403, HTML, body=PAGE), water.NotFromService, ["HTTP 403", "a web page", "Sign in"]),
        (
            Reply(401, JSON, body=b'{"message":"No subscription"}'),
            water.NotFromService,
            ["HTTP 401", "No subscription"],
        ),
        (Reply(403, JSON, body=b"[]"), water.NotFromService, ["HTTP 403", "JSON"]),
        (Reply(429, JSON, body=b'{"error":{"message":"Too fast."}}'), water.TooManyRequests, ["HTTP 429", "Too fast"]),
        (Reply(429, JSON), water.TooManyRequests, ["HTTP 429", "an empty answer"]),
        (Reply(502, HTML, body=PAGE), water.ServiceBusy, ["HTTP 502", "Sign in"]),
        (Reply(407, HTML, body=PAGE), water.NotFromService, ["HTTP 407"]),
    ],
)
def test_the_error_for_an_answer_of_another_server_names_that_server(proxy, call, reply, error_class, words):
    proxy.fault = lambda _path: reply
    with pytest.raises(water.WaterDataError) as found:
        call(patience=0)
    assert type(found.value) is error_class
    assert found.value.status == reply.status
    for word in [*words, proxy.url.removeprefix("http://")]:
        assert word in str(found.value)


def test_a_page_in_place_of_a_file_is_refused_and_never_kept(proxy, service):
    terms, _ = water.get_terms("allocations", state="CO", url=service.url)
    organization = terms["OrganizationUUID"].iloc[0]
    proxy.fault = lambda path: Reply(200, HTML, body=PAGE) if "records.parquet" in path else None
    with pytest.raises(water.NotFromService, match="Sign in"):
        water.download("allocations", organization)
    proxy.fault = lambda _path: None
    assert water.download("allocations", organization)[0].stat().st_size > 1000


def later(seconds):
    moment = datetime.datetime.now(datetime.timezone.utc) + datetime.timedelta(seconds=seconds)
    return email.utils.format_datetime(moment, usegmt=True)


@pytest.mark.parametrize(
    ("text", "is_waited"),
    [
        (lambda: later(60), True),
        (lambda: later(-1000), False),
        (lambda: "-5", False),
        (lambda: "soon", False),
        (lambda: "", False),
        (lambda: "nan", False),
        (lambda: "120", True),
    ],
)
def test_retry_after_may_be_seconds_or_a_date(proxy, text, is_waited):
    answers = [Reply(503, {"Retry-After": text()})]
    proxy.fault = lambda _path: answers.pop() if answers else None
    if not is_waited:
        assert len(water.get_sites(limit=1, patience=20)[0]) == 1
        return
    with pytest.raises(water.ServiceBusy) as found:
        water.get_sites(limit=1, patience=5)
    assert found.value.retry_after > 50


@pytest.fixture
def closed_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


@pytest.fixture
def self_signed(tmp_path):
    names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"]
    files = ["-keyout", tmp_path / "k.pem", "-out", tmp_path / "c.pem"]
    make = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", *files, *names]
    subprocess.run(make, check=True, capture_output=True)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(tmp_path / "c.pem", tmp_path / "k.pem")
    server = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            try:
                one, _ = server.accept()
                context.wrap_socket(one, server_side=True).close()
            except ssl.SSLError:
                continue
            except OSError:
                return

    threading.Thread(target=serve, daemon=True).start()
    yield server.getsockname()[1]
    server.close()


def seconds_until(error_class, words, **arguments):
    started = time.monotonic()
    with pytest.raises(error_class) as found:
        water.get_sites(state="UT", key="x", **arguments)
    for word in words:
        assert word in str(found.value)
    return time.monotonic() - started


def test_failures_that_waiting_cannot_fix_end_within_seconds(closed_port, self_signed, service):
    plain_port = service.url.rsplit(":", 1)[1]
    cases = [
        ("https://no-such-host.invalid", ["The host name in", "WATER_DATA_URL"]),
        (f"https://localhost:{self_signed}", ["not trusted", "SSL_CERT_FILE"]),
        (f"http://127.0.0.1:{closed_port}", ["Could not connect", "WATER_DATA_URL"]),
        (f"https://localhost:{plain_port}", ["No secure connection"]),
    ]
    for url, words in cases:
        assert seconds_until(water.ConnectionFailed, words, url=url) < 15


def test_patience_limits_the_whole_time(proxy, capsys):
    proxy.fault = lambda _path: Reply(503, {"Retry-After": "1"})
    assert seconds_until(water.ServiceBusy, ["503"], url=proxy.url, patience=5) < 12
    assert "HTTP 503" in capsys.readouterr().err
    with socket.create_server(("127.0.0.1", 0)) as silent:
        url = f"http://127.0.0.1:{silent.getsockname()[1]}"
        assert seconds_until(water.ConnectionFailed, ["did not answer"], url=url, patience=1) < 12


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        ({"url": "127.0.0.1:7160"}, "https://"),
        ({"url": 5}, "url"),
        ({"key": 5}, "key"),
        ({"patience": "10"}, "patience"),
        ({"patience": -1}, "patience"),
        ({"progress": "yes"}, "progress"),
        ({"limit": "10"}, "limit"),
        ({"limit": 2.5}, "limit"),
        ({"limit": True}, "limit"),
        ({"geometry": "yes"}, "geometry"),
        ({"lookups": 1}, "lookups"),
        ({"state": {"a": 1}}, "state"),
        ({"state": float("nan")}, "state"),
        ({"state": b"UT"}, "state"),
        ({"start_date": pandas.NaT}, "start_date"),
        ({"start_date": pandas.NA}, "start_date"),
        ({"county": ["Cache", None]}, "county"),
        ({"boundary": 5}, "boundary"),
    ],
)
def test_the_error_names_an_argument_of_the_wrong_type(proxy, arguments, name):
    with pytest.raises(water.BadArgument, match=name):
        water.get_site_amounts(**arguments)
    assert proxy.seen == []


@pytest.mark.parametrize(
    ("call", "name"),
    [
        (lambda: water.get_totals(5), "kind"),
        (lambda: water.get_totals("allocations", by=5), "by"),
        (lambda: water.get_facets("allocations", 5), "facets"),
        (lambda: water.get_terms(parameter=5), "parameter"),
        (lambda: water.get_changes("allocations", 5), "since"),
        (lambda: water.download("allocations", 5), "organization"),
        (lambda: water.download("allocations", "X", format=5), "format"),
        (lambda: water.download("allocations", "X", whole="yes"), "whole"),
        (lambda: water.find(5), "text"),
        (lambda: water.find("a", limit="5"), "limit"),
        (lambda: water.query("sites", 5), "cql2"),
        (lambda: water.query(5, "State = 'UT'"), "collection"),
    ],
)
def test_the_error_names_an_argument_that_must_be_text(proxy, call, name):
    with pytest.raises(water.BadArgument, match=name):
        call()
    assert proxy.seen == []
