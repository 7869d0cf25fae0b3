"""Tells what this service says from what a proxy or gateway in between says, and raises the error for it."""

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

#: How much of a foreign answer is quoted.
QUOTED_CHARACTERS = 200

#: Statuses that say the same whoever answers: try again later, or nothing is at this address.
SHARED_STATUSES = {404, 429, *range(500, 600)}


def raise_for_error(answer: httpx.Response) -> None:
    """Raises the error for an answer with an error status, in the words of whoever answered."""
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
    # 500 is a fault of the service, which the same request meets again.
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
    """What is wrong with a parameter, behind the argument that it was given by."""
    name = str(one.get("parameter", ""))
    argument = f"{argument_of(name)}: " if name in NAMES else ""
    return f"  {argument}{name} {one.get('message', '')} (found: {one.get('value', '')})"


def argument_of(name: str) -> str:
    return "boundary" if NAMES[name] in BOUNDARIES else NAMES[name]


def require_data(answer: httpx.Response) -> None:
    """Refuses a successful answer that is not data of this service: every answer of it names the data version."""
    if "Data-Version" in answer.headers:
        return
    error = NotFromService(foreign_sentence(answer))
    error.status = answer.status_code
    raise error


def require_file(answer: httpx.Response) -> None:
    """Refuses a page in place of a file."""
    if re.match(r"text/html|application/(json|xhtml)", answer.headers.get("Content-Type", "")):
        answer.read()
        error = NotFromService(foreign_sentence(answer))
        error.status = answer.status_code
        raise error


def foreign_sentence(answer: httpx.Response) -> str:
    """Who answered, with what, and what it says."""
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
    """What gateways write: `message`, `error`, `error.message`, `detail` and so on."""
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
    """Of a Retry-After in seconds or as a date; None for what is no wait, so that the client uses its own."""
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
