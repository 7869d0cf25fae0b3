from collections.abc import Iterator
from pathlib import Path

import pytest
from service import Proxy, Service


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    started = Service(tmp_path_factory.mktemp("samples"), samples=True)
    started.make_files()
    yield started
    started.stop()


@pytest.fixture(autouse=True)
def surroundings(service: Service, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keeps the user's settings and cache away from the tests, and the tests' files away from the user."""
    monkeypatch.setenv("WATER_DATA_URL", service.url)
    monkeypatch.setenv("WATER_DATA_KEY", service.key)
    monkeypatch.setenv("WATER_DATA_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "configuration"))


@pytest.fixture
def proxy(service: Service, monkeypatch: pytest.MonkeyPatch) -> Iterator[Proxy]:
    started = Proxy(service)
    monkeypatch.setenv("WATER_DATA_URL", started.url)
    yield started
    started.stop()
