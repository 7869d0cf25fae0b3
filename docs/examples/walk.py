"""Walks through all pages of a search, or of totals over it, and writes what it finds as CSV, one row for each.

    WATER_KEY=... python walk.py "http://127.0.0.1:7071/v1/SiteVariableAmounts?State=UT" records.csv
    WATER_KEY=... python walk.py "http://127.0.0.1:7071/v1/SiteVariableAmounts/Totals?GroupBy=County&GroupBy=Year" totals.csv

Needs requests and pandas. Lists within a record, such as its uses, are written as JSON.
"""

import json
import os
import sys
import time
from email.utils import parsedate_to_datetime
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit

import pandas
import requests

TRIES = 5
SECONDS_TO_WAIT = 2.0
SECONDS_TO_ANSWER = 120


def main(address, file):
    session = requests.Session()
    session.headers["X-API-Key"] = os.environ.get("WATER_KEY") or sys.exit("Set WATER_KEY to your access key.")
    rows = []
    for page in walk(session, address):
        rows.extend(rows_of(page))
        print(f"{len(rows)} of {total_of(page)} rows", file=sys.stderr)
    # Values keep their type: by default pandas would convert 5 to 5.0 if another record has no value.
    pandas.DataFrame(rows, dtype=object).to_csv(file, index=False)


def walk(session, address):
    """Yields the pages, all of the first page's version of the data."""
    seen = 0
    while True:
        answer = ask(session, address)
        page = answer.json()
        yield page
        count = len(rows_of(page))
        seen += count
        if "next" in answer.links:
            address = urljoin(address, answer.links["next"]["url"])
        elif count > 0 and start_of(address) + count < total_of(page):
            # A long query has no link, so the position of the next page is computed.
            address = with_parameters(
                address, StartIndex=start_of(address) + count, DataVersion=answer.headers["Data-Version"]
            )
        else:
            return


def ask(session, address):
    """Fetches one answer; waits and tries again while the service is busy."""
    for attempt in range(1, TRIES + 1):
        try:
            answer = session.get(address, timeout=SECONDS_TO_ANSWER)
        except requests.RequestException as error:
            sys.exit(f"The service cannot be reached: {error}")
        if answer.ok and "Data-Version" in answer.headers:
            return answer
        if answer.status_code not in (429, 503) or attempt == TRIES:
            sys.exit(sentence_of(answer))
        time.sleep(seconds_to_wait(answer.headers.get("Retry-After", "")))


def seconds_to_wait(text):
    """Parses Retry-After, which contains seconds or a date; a proxy may write anything else."""
    if text.strip().isdecimal():
        return float(text)
    try:
        return max(SECONDS_TO_WAIT, parsedate_to_datetime(text).timestamp() - time.time())
    except (TypeError, ValueError):
        return SECONDS_TO_WAIT


def sentence_of(answer):
    """The message of an error, including everything that is wrong with the parameters."""
    try:
        problem = answer.json()
    except requests.JSONDecodeError:
        problem = None
    if not isinstance(problem, dict) or not {"title", "detail"} <= problem.keys():
        host = urlsplit(answer.url).netloc
        said = " ".join(answer.text.split())[:200]
        return f"HTTP {answer.status_code} from {host}, but not from the service: a proxy may be in between. {said}"
    lines = [f"HTTP {answer.status_code}: {problem['title']}. {problem['detail']}"]
    lines += [f"  {error['parameter']} {error['message']} (found: {error['value']})" for error in problem.get("errors", [])]
    return "\n".join(lines)


def rows_of(page):
    if "Totals" in page:
        return page["Totals"]
    rows = []
    for organization in page["Organizations"]:
        of_organization = {name: organization[name] for name in ("OrganizationUUID", "OrganizationName")}
        for record in organization[list_of(page)]:
            rows.append({**of_organization, **{member: cell(value) for member, value in record.items()}})
    return rows


def list_of(page):
    """The list of records or places: TotalSitesCount counts the items of the lists Sites."""
    count = next(name for name in page if name.startswith("Total"))
    return count[len("Total") : -len("Count")]


def cell(value):
    return json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value


def total_of(page):
    return next(value for name, value in page.items() if name.startswith("Total"))


def start_of(address):
    return int(dict(parse_qsl(urlsplit(address).query)).get("StartIndex", 0))


def with_parameters(address, **parameters):
    parts = urlsplit(address)
    kept = [(name, value) for name, value in parse_qsl(parts.query) if name not in parameters]
    return parts._replace(query=urlencode([*kept, *parameters.items()])).geturl()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    main(*sys.argv[1:])
