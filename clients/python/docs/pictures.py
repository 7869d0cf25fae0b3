"""Runs the code in README.md and saves its pictures. It needs a service with the data that README.md names."""

import os
import re
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

README = Path(__file__).parent.parent / "README.md"
plt.rcParams.update({"figure.figsize": (6, 3.6), "figure.dpi": 80, "font.size": 9, "figure.autolayout": True})
os.chdir(Path(__file__).parent)
surroundings: dict[str, object] = {}
for block in re.findall(r"```python\n(.*?)```", README.read_text("utf-8"), re.DOTALL):
    exec(block, surroundings)
