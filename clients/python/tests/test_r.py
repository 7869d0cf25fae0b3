"""Python and R give the same table: names, types and cells, for the samples and, if present, real submissions."""

import json
import os
import shutil
import subprocess

import pandas
import pytest
from service import PROJECT, Service

import waterdataquery as water

REAL = PROJECT.parent / "shared/data"
FUNCTIONS = ("site_amounts", "aggregated_amounts", "allocations", "sites", "reporting_units")

#: The R type for each column type in Python.
TYPES = {
    "string": ("character",),
    "float64": ("numeric",),
    "Int64": ("integer",),
    "boolean": ("logical",),
    "datetime64[ms]": ("Date", "POSIXct"),
    "object": ("list of character", "list of numeric", "list of integer"),
}


def has_r():
    program = shutil.which("Rscript")
    return program and subprocess.run([program, "-e", "library(waterdataquery)"], capture_output=True).returncode == 0


@pytest.fixture(scope="module", params=["samples", "real submissions"])
def loaded(request, service, tmp_path_factory):
    if request.param == "samples":
        yield service
        return
    if not REAL.is_dir():
        pytest.skip("The real submissions are not beside this clone.")
    own = Service(tmp_path_factory.mktemp("real"), samples=False)
    for folder in sorted(path for path in REAL.iterdir() if path.is_dir()):
        own.load(folder)
    yield own
    own.stop()


@pytest.mark.skipif(not has_r(), reason="R or its package waterdataquery is not there.")
@pytest.mark.parametrize("name", FUNCTIONS)
def test_r_gives_the_same_table(loaded, name, tmp_path, monkeypatch):
    monkeypatch.setenv("WATER_DATA_URL", loaded.url)
    monkeypatch.setenv("WATER_DATA_KEY", loaded.key)
    file = tmp_path / "cells.json"
    words = ["Rscript", PROJECT / "clients/python/tests/cells.R", f"read_{name}", file]
    subprocess.run(words, check=True, env=dict(os.environ), capture_output=True)
    of_r = json.loads(file.read_text("utf-8"))
    frame, _ = getattr(water, f"get_{name}")(geometry=False)
    assert list(of_r) == list(frame)
    assert len(frame) > 0
    for column in frame:
        assert of_r[column]["type"] in TYPES[str(frame[column].dtype)], column
        assert [plain(cell) for cell in frame[column]] == of_r[column]["cells"], column


def plain(cell):
    if hasattr(cell, "__len__") and not isinstance(cell, str):
        return [plain(item) for item in cell]
    if pandas.isna(cell):
        return None
    if isinstance(cell, pandas.Timestamp):
        return cell.isoformat()
    return hexadecimal(cell) if isinstance(cell, float) else cell


def hexadecimal(number: float) -> str:
    """The number as C's %a prints it."""
    mantissa, exponent = number.hex().split("p")
    return (mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa) + "p" + exponent
