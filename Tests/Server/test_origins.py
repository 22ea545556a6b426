"""Pages of other origins (serve W9)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .asking import ask
from .guards import is_guarded
from .serving import Server


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, 200),
        ({"Origin": "http://HOST"}, 200),
        ({"Origin": "https://named.example"}, 200),
        ({"Origin": "https://NAMED.example"}, 403),
        ({"Origin": "https://named.example:443"}, 403),
        ({"Origin": "http://named.example"}, 403),
        ({"Origin": "https://named.example.evil.example"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "https://HOST"}, 403),
        ({"Origin": "http://localhost"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": "*"}, 403),
        ({"Origin": ""}, 403),
        ({"Sec-Fetch-Site": "same-origin"}, 200),
        ({"Sec-Fetch-Site": "none"}, 200),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "https://named.example"}, 200),
        ({"Sec-Fetch-Site": "cross-site", "Origin": "http://HOST"}, 403),
    ],
)
@pytest.mark.parametrize("target", ["/api/v1", "/metrics", "/health", "/"])
def test_origin(fetched: Server, target: str, fields: dict[str, str], status: int) -> None:
    fields = {name: value.replace("HOST", fetched.host) for name, value in fields.items()}
    answer = ask(fetched, target, fields=fields)
    assert answer.status == status
    is_named = status == 200 and fields.get("Origin") == "https://named.example"
    assert answer.field("Access-Control-Allow-Origin") == (fields["Origin"] if is_named else None)
    assert ("Origin" in (answer.field("Vary") or "")) is is_named
    assert answer.field("Access-Control-Allow-Credentials") is None
    assert is_guarded(answer)


@pytest.fixture(scope="module")
def fetched(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that pages of another origin may read, with control."""
    folder = tmp_path_factory.mktemp("fetched")
    recordings = tmp_path_factory.mktemp("recordings")
    options = ["--origin", "https://named.example", "--control", "--recordings", str(recordings)]
    with Server(folder, "--context", "sim:phone", *options) as server:
        yield server


def test_origin_learns_of_refusals(fetched: Server) -> None:
    """The page that may read is told why it may not: the token is wrong."""
    fields = {"Origin": "https://named.example", "Authorization": "Bearer wrong"}
    answer = ask(fetched, "/api/v1", fields=fields)
    assert answer.status == 401
    assert answer.field("Access-Control-Allow-Origin") == "https://named.example"


@pytest.mark.parametrize(
    ("origin", "status"), [("https://named.example", 204), ("https://evil.example", 403)]
)
def test_preflight(fetched: Server, origin: str, status: int) -> None:
    fields = {
        "Origin": origin,
        "Authorization": None,
        "Access-Control-Request-Method": "GET",
        "Access-Control-Request-Headers": "authorization",
    }
    answer = ask(fetched, "/api/v1", "OPTIONS", fields)
    assert answer.status == status
    if status == 204:
        assert answer.field("Access-Control-Allow-Origin") == origin
        assert answer.field("Access-Control-Allow-Headers") == "Authorization"
        assert answer.field("Access-Control-Allow-Methods") == "GET, HEAD"
        assert answer.body == b""


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({}, 200),
        ({"Content-Type": "application/json; charset=utf-8"}, 200),
        ({"Content-Type": "Application/JSON"}, 200),
        ({"Content-Type": None}, 400),
        ({"Content-Type": "text/plain"}, 400),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 400),
        ({"Content-Type": "text/plain; application/json"}, 400),
        ({"Content-Type": "application/jsonx"}, 400),
        ({"Origin": "http://HOST"}, 200),
        ({"Origin": "https://named.example"}, 403),
        ({"Origin": "https://evil.example"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Authorization": None}, 401),
    ],
)
def test_writing(fetched: Server, fields: dict[str, str | None], status: int) -> None:
    """What changes something is asked as a form of another page cannot."""
    fields = {name: value and value.replace("HOST", fetched.host) for name, value in fields.items()}
    assert ask(fetched, "/api/v1/rescan", "POST", fields, {}).status == status


@pytest.mark.parametrize(("type_", "status"), [("application/json", 404), (None, 400)])
def test_deleting(fetched: Server, type_: str | None, status: int) -> None:
    fields = {"Content-Type": type_}
    assert ask(fetched, "/api/v1/recordings/a.gkr", "DELETE", fields).status == status
