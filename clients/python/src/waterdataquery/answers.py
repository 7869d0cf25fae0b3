"""Distinguishes answers of this service from those of a proxy or gateway in between, and raises the matching error."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Mapping
from email.utils import parsedate_to_datetime
from typing import Any

import httpx

from .arguments import BOUNDARIES
from .errors import BY_STATUS, NotFromService, WaterDataError
from .tables import NAMES

#: The maximum number of characters quoted from another server's answer.
QUOTED_CHARACTERS = 200

#: Statuses with the same meaning from any server: try again later, or nothing exists at this address.
SHARED_STATUSES = {404, 429, *range(500, 600)}


def raise_for_error(answer: httpx.Response) -> None:
    """Raises an error for an answer with an error status, with the message of the server that answered."""
    status = answer.status_code
    if status < 400:
        return
    answer.read()
    problem = _json_of(answer)
    if isinstance(problem, dict) and isinstance(problem.get("title"), str) and "type" in problem:
        error = _service_error(status, problem)
    else:
        error_class = BY_STATUS.get(status, NotFromService) if status in SHARED_STATUSES else NotFromService
        error = error_class(foreign_sentence(answer))
    error.status = status
    # A status 500 is a fault of the service; the same request would fail again.
    error.retryable = error.retryable and status != 500
    error.retry_after = seconds_to_wait(answer.headers.get("Retry-After", ""))
    raise error


def _service_error(status: int, problem: Mapping[str, Any]) -> WaterDataError:
    lines = [f"HTTP {status}: {problem['title']}. {problem.get('detail', '')}".strip()]
    listed = problem.get("errors")
    for one in listed if isinstance(listed, list) else ():
        if isinstance(one, dict):
            lines.append(_parameter_sentence(one))
    error = BY_STATUS.get(status, WaterDataError)("\n".join(lines))
    error.problem = problem
    return error


def _parameter_sentence(one: Mapping[str, Any]) -> str:
    """Describes a refused parameter, after the name of the Python argument that it came from."""
    name = str(one.get("parameter", ""))
    argument = f"{argument_of(name)}: " if name in NAMES else ""
    return f"  {argument}{name} {one.get('message', '')} (found: {one.get('value', '')})"


def argument_of(name: str) -> str:
    return "boundary" if NAMES[name] in BOUNDARIES else NAMES[name]


def require_data(answer: httpx.Response) -> None:
    """Refuses a successful answer without Data-Version, a header that every answer of this service has."""
    if "Data-Version" in answer.headers:
        return
    error = NotFromService(foreign_sentence(answer))
    error.status = answer.status_code
    raise error


def require_file(answer: httpx.Response) -> None:
    """Refuses an HTML page or JSON where a file was expected."""
    if re.match(r"text/html|application/(json|xhtml)", answer.headers.get("Content-Type", "")):
        answer.read()
        error = NotFromService(foreign_sentence(answer))
        error.status = answer.status_code
        raise error


def foreign_sentence(answer: httpx.Response) -> str:
    """Describes an answer of another server: the server, the status and type of its answer, and its message."""
    host = answer.url.netloc.decode("ascii")
    kind = answer.headers.get("Content-Type", "").partition(";")[0].strip().lower()
    body = answer.text.strip()
    if not body:
        form = "an empty answer"
    elif "html" in kind or re.match(r"(?i)<!doctype html|<html", body):
        form = "a web page"
    else:
        form = "JSON" if "json" in kind else kind or "text"
    status = "" if answer.status_code < 400 else f" HTTP {answer.status_code} and"
    words = _words_of(answer, body, form)
    said = f" It says: {words}" if words else ""
    advice = "A proxy or gateway may be in between, or url= is not the address of the service."
    return f"{host} answered with{status} {form}, not with data of the service. {advice}{said}"


def _words_of(answer: httpx.Response, body: str, form: str) -> str:
    if form == "a web page":
        title = re.search(r"(?is)<title[^>]*>(.*?)</title>|<h1[^>]*>(.*?)</h1>", body)
        text = (title[1] or title[2]) if title else re.sub(r"(?s)<[^>]*>", " ", body)
    elif form == "JSON":
        text = _message_of(_json_of(answer))
    else:
        text = body
    return " ".join(text.split())[:QUOTED_CHARACTERS]


def _message_of(said: Any) -> str:
    """Finds the message of a gateway in `message`, `error`, `error.message`, `detail` and so on."""
    if isinstance(said, str):
        return said
    if not isinstance(said, dict):
        return "" if said in (None, []) else json.dumps(said)
    names = {name.lower(): value for name, value in said.items()}
    for name in ("message", "error_description", "detail", "details", "title", "reason", "error", "fault", "errors"):
        if text := _message_of(names.get(name)):
            return text
    return ""


def _json_of(answer: httpx.Response) -> Any:
    try:
        return json.loads(answer.content)
    except ValueError:
        return None


def seconds_to_wait(text: str) -> float | None:
    """Parses Retry-After, in seconds or as a date. None if it is invalid; the client then uses its own wait."""
    if re.fullmatch(r"\s*\d{1,9}(\.\d+)?\s*", text):
        return float(text)
    try:
        until = parsedate_to_datetime(text)
    except (TypeError, ValueError, IndexError):
        return None
    if until.tzinfo is None:
        until = until.replace(tzinfo=datetime.timezone.utc)
    seconds = (until - datetime.datetime.now(datetime.timezone.utc)).total_seconds()
    return seconds if seconds > 0 else None
