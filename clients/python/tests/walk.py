"""The expected records: reads the JSON answers with only the standard library, and joins lookups by hand."""

from __future__ import annotations

import datetime
import json
import math
import os
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlencode
from urllib.request import Request, urlopen

import pandas

LISTS = {
    "SiteVariableAmounts": "SiteVariableAmounts",
    "AggregatedAmounts": "AggregatedAmounts",
    "SiteAllocationAmounts": "WaterAllocations",
    "Sites": "Sites",
    "ReportingUnits": "ReportingUnits",
}
BY = {
    "Sites": "SiteUUID",
    "ReportingUnits": "ReportingUnitUUID",
    "VariableSpecifics": "VariableSpecificUUID",
    "Methods": "MethodUUID",
    "WaterSources": "WaterSourceUUID",
}
USES = ("BeneficialUseCategoryCV", "USGSCategoryNameCV", "NAICSCodeNameCV")
ORGANIZATION = ("OrganizationUUID", "OrganizationName", "OrganizationState")
COORDINATES = ("Longitude", "Latitude")


def ask(path: str, **query: Any) -> Any:
    address = f"{os.environ['WATER_DATA_URL']}{path}?{urlencode(query, doseq=True)}"
    with urlopen(Request(address, headers={"X-API-Key": os.environ["WATER_DATA_KEY"]})) as answer:
        return json.load(answer)


def walk(operation: str, **query: Any) -> Iterator[dict[str, Any]]:
    """Each record joined with the members of its organization and of its lookups."""
    start, kind = 0, LISTS[operation]
    while organizations := ask(f"/v1/{operation}", StartIndex=start, RecordCount=700, **query)["Organizations"]:
        for organization in organizations:
            for record in organization[kind]:
                start += 1
                yield joined(record, organization)


def joined(record: dict[str, Any], organization: dict[str, Any]) -> dict[str, Any]:
    named: dict[str, Any] = {}
    for lookup, identifier in BY.items():
        items = {item[identifier]: item for item in organization.get(lookup, ())}
        if isinstance(record.get("Sites"), list) and lookup == "Sites":
            sites = [{**items[site["SiteUUID"]], **site} for site in record["Sites"]]
            members = next(iter(items.values())) if items else {}
            named |= {member: [site[member] for site in sites] for member in members}
        elif isinstance(record.get(identifier), str):
            named = {**items.get(record[identifier], {}), **named}
    own = {name: value for name, value in record.items() if name != "Sites"}
    for member in ("Series",):
        for name in record[member][0] if record.get(member) else ():
            own[name] = [one[name] for one in record[member]]
    uses = {use["Name"]: use for use in organization.get("BeneficialUses", ())}
    names = plain(record.get("BeneficialUses") or record.get("BeneficialUseCategoryCV") or [])
    found = [uses[name] for name in names] if uses else []
    listed = {member: [use[member] for use in found] for member in USES}
    return {**named, **listed, **own, **{name: organization[name] for name in ORGANIZATION}}


def plain(items: list[Any]) -> list[Any]:
    return [next(iter(item.values())) if isinstance(item, dict) else item for item in items]


def is_same(cell: Any, member: Any, name: str) -> bool:
    """Whether a cell of a frame has the value in JSON and the right type."""
    if isinstance(member, list):
        if name in COORDINATES:
            member = [None if item is None else float(item) for item in member]
        return isinstance(cell, list) and cell == plain(member)
    if member is None:
        return not isinstance(cell, list) and bool(pandas.isna(cell))
    if isinstance(member, bool):
        return bool(cell) is member and not isinstance(cell, str)
    if name in COORDINATES or isinstance(member, (int, float)):
        return not isinstance(cell, str) and math.isclose(float(cell), float(member), rel_tol=0, abs_tol=0)
    if isinstance(cell, datetime.datetime):
        return cell == datetime.datetime.fromisoformat(member)
    return isinstance(cell, str) and cell == member
