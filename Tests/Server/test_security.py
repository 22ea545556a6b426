"""Who gets an answer, and what it never has (serve W2, W7 to W15).

Longer than 300 lines: one table of requests for each law.
"""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from .asking import BEARER, Answer, ask, get, request, send
from .conftest import Start
from .serving import TOKEN, Server

SECURITY = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
POLICY = {
    "default-src 'none'",
    "connect-src 'self'",
    "img-src data:",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'none'",
}


def is_guarded(answer: Answer) -> bool:
    """Whether an answer has all header fields of security."""
    policy = set((answer.field("Content-Security-Policy") or "").split("; "))
    scripts = [part for part in policy if part.startswith(("script-src ", "style-src "))]
    return (
        all(answer.field(name) == value for name, value in SECURITY.items())
        and policy >= POLICY
        and len(scripts) == 2
        and all("'sha256-" in part and "unsafe" not in part for part in scripts)
    )


# The token


@pytest.mark.parametrize(
    ("value", "status"),
    [
        (BEARER, 200),
        (f"bearer {TOKEN}", 200),
        (f"BEARER   {TOKEN}", 200),
        (None, 401),
        ("", 401),
        ("Bearer", 401),
        ("Bearer ", 401),
        (TOKEN, 401),
        (f"Basic {TOKEN}", 401),
        (f"Bearer {TOKEN}x", 401),
        (f"Bearer {TOKEN[:-1]}", 401),
        (f"Bearer {TOKEN.upper()}", 401),
        (f"Bearer {TOKEN} {TOKEN}", 401),
        (f"Bearer {TOKEN}, Bearer {TOKEN}", 401),
        (f'Bearer "{TOKEN}"', 401),
        (f"Bearer {TOKEN * 100}", 401),
    ],
)
def test_token(phone: Server, value: str | None, status: int) -> None:
    answer = ask(phone, "/api/v1", fields={"Authorization": value})
    assert (answer.status, answer.field("WWW-Authenticate")) == (
        status,
        "Bearer" if status == 401 else None,
    )
    assert is_guarded(answer)
    if status == 401:
        assert answer.code == "PERMISSION"
        assert TOKEN.encode() not in answer.body


def test_token_twice(phone: Server) -> None:
    """Of two fields neither counts."""
    second = f"\r\nAuthorization: {BEARER}\r\n\r\n".encode()
    data = request(phone, "/api/v1").replace(b"\r\n\r\n", second)
    assert send(phone, data).status == 401


@pytest.mark.parametrize("target", [f"/api/v1?token={TOKEN}", f"/api/v1?access_token={TOKEN}"])
def test_token_in_address(phone: Server, target: str) -> None:
    """An address ends up in logs; no token is taken from it."""
    assert ask(phone, target, fields={"Authorization": None}).status == 401


def test_wrong_tokens(start: Start) -> None:
    """After ten wrong ones an address waits; others do not."""
    server = start("--context", "sim:phone")
    wrong = {"Authorization": "Bearer wrong"}
    for _ in range(10):
        assert ask(server, "/api/v1", fields=wrong, client="127.0.0.2").status == 401
    for fields in [wrong, None]:
        answer = ask(server, "/api/v1", fields=fields, client="127.0.0.2")
        assert (answer.status, answer.code) == (429, "LIMIT")
        assert 1 <= int(answer.field("Retry-After") or "") <= 60
        assert is_guarded(answer)
    assert ask(server, "/api/v1", client="127.0.0.3").status == 200


def test_missing_tokens(start: Start) -> None:
    """A page that was opened without its token is no attack."""
    server = start("--context", "sim:phone")
    for _ in range(12):
        answer = ask(server, "/api/v1", fields={"Authorization": None}, client="127.0.0.2")
        assert answer.status == 401
    assert ask(server, "/api/v1", client="127.0.0.2").status == 200


# The name that was asked for


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("127.0.0.1:PORT", 200),
        ("127.0.0.1", 200),
        ("localhost:PORT", 200),
        ("localhost", 200),
        ("LOCALHOST:PORT", 200),
        ("named.example:PORT", 200),
        ("NAMED.Example", 200),
        ("127.0.0.1:1", 421),
        ("localhost:80", 421),
        ("localhost:", 421),
        ("localhost:PORT:PORT", 421),
        ("localhost.:PORT", 421),
        ("localhost.evil.example:PORT", 421),
        ("evil.example", 421),
        ("evil.example:PORT", 421),
        ("127.0.0.1.evil.example:PORT", 421),
        ("127.0.0.2:PORT", 421),
        ("127.1:PORT", 421),
        ("2130706433:PORT", 421),
        ("0x7f000001:PORT", 421),
        ("0177.0.0.1:PORT", 421),
        ("0.0.0.0:PORT", 421),
        ("192.168.1.1:PORT", 421),
        ("[::1]:PORT", 421),
        ("[::ffff:127.0.0.1]:PORT", 421),
        ("[127.0.0.1]:PORT", 421),
        ("[::1", 421),
        ("user@127.0.0.1:PORT", 421),
        ("evil.example@127.0.0.1:PORT", 421),
        ("127.0.0.1:PORT, evil.example", 421),
        ("127.0.0.1 evil.example", 421),
        ("", 421),
        (None, 400),
    ],
)
@pytest.mark.parametrize("target", ["/api/v1", "/", "/nothing", "/%ff"])
def test_host(named: Server, target: str, host: str | None, status: int) -> None:
    """With a name of others not even the page is given, with the right token, too."""
    host = host and host.replace("PORT", str(named.port))
    answer = ask(named, target, fields={"Host": host})
    if status == 200:
        assert answer.status == {"/nothing": 404, "/%ff": 400}.get(target, 200)
    else:
        assert answer.status == status
        assert answer.code == ("PERMISSION" if status == 421 else "INVALID_ARGUMENT")
        assert b"<html" not in answer.body
        assert b"Simulated" not in answer.body
    assert is_guarded(answer)


@pytest.fixture(scope="module")
def named(tmp_path_factory: pytest.TempPathFactory) -> Server:  # type: ignore[misc]
    """A server with a name besides."""
    folder = tmp_path_factory.mktemp("named")
    with Server(folder, "--context", "sim:phone", "--host-name", "named.example") as server:
        yield server


@pytest.mark.parametrize("second", ["127.0.0.1:PORT", "evil.example"])
def test_two_hosts(phone: Server, second: str) -> None:
    host = second.replace("PORT", str(phone.port))
    data = request(phone, "/api/v1").replace(b"\r\n\r\n", f"\r\nHost: {host}\r\n\r\n".encode())
    answer = send(phone, data)
    assert (answer.status, answer.code) == (400, "INVALID_ARGUMENT")


def test_host_without_token(start: Start) -> None:
    """Where no token is asked for, the name is what keeps other pages out."""
    server = start("--context", "sim:phone", "--no-token")
    none = {"Authorization": None}
    assert ask(server, "/api/v1", fields=none).status == 200
    assert ask(server, "/api/v1", fields={**none, "Host": "evil.example"}).status == 421


def test_host_of_the_wildcard(start: Start) -> None:
    """A server on all addresses is asked by any of them, and by no name of others."""
    folder_token = ["--listen", "0.0.0.0:0"]
    server = start("--context", "sim:phone", *folder_token)
    for host, status in [("127.0.0.1", 200), ("192.168.77.7", 200), ("evil.example", 421)]:
        assert ask(server, "/api/v1", fields={"Host": host}).status == status
    assert "anyone on the way can read this: use a proxy with TLS" in server.said()


# The page that asks


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
    assert (answer.field("Vary") == "Origin") is is_named
    assert answer.field("Access-Control-Allow-Credentials") is None
    assert is_guarded(answer)


@pytest.fixture(scope="module")
def fetched(tmp_path_factory: pytest.TempPathFactory) -> Server:  # type: ignore[misc]
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


# What every answer has


@pytest.mark.parametrize(
    ("method", "target", "status"),
    [
        ("GET", "/", 200),
        ("HEAD", "/", 200),
        ("GET", "/health", 200),
        ("GET", "/ready", 200),
        ("GET", "/metrics", 200),
        ("GET", "/api/v1", 200),
        ("GET", "/api/v1/openapi.json", 200),
        ("GET", "/api/v1/recordings/steps.gkr/file", 200),
        ("GET", "/api/v1/recordings/steps.gkr/file.csv?source=memory", 200),
        ("OPTIONS", "/api/v1", 204),
        ("GET", "/api/v1/nothing", 404),
        ("GET", "/%ff", 400),
        ("PUT", "/api/v1", 405),
        ("BREW", "/api/v1", 400),
    ],
)
def test_fields(recorded: Server, method: str, target: str, status: int) -> None:
    answer = ask(recorded, target, method)
    assert answer.status == status
    assert is_guarded(answer)
    assert answer.field("Set-Cookie") is None
    assert answer.field("Server") is None


@pytest.fixture(scope="module")
def recorded(tmp_path_factory: pytest.TempPathFactory, walk: Path, steps: Path) -> Server:  # type: ignore[misc]
    """A server of recordings, and of things that are none."""
    folder = tmp_path_factory.mktemp("folder")
    outside = tmp_path_factory.mktemp("outside")
    for file in [walk, steps]:
        shutil.copy(file, folder)
    shutil.copy(steps, outside / "outside.gkr")
    shutil.copy(steps, folder / ".hidden.gkr")
    shutil.copy(steps, folder / "noextension")
    shutil.copy(steps, folder / "with space-1.gkr")
    shutil.copy(steps, folder / "ümlaut.gkr")
    (folder / "inner").mkdir()
    shutil.copy(steps, folder / "inner" / "inner.gkr")
    (folder / "folder.gkr").mkdir()
    (folder / "link.gkr").symlink_to(outside / "outside.gkr")
    (folder / "own.gkr").symlink_to("steps.gkr")
    options = ["--recordings", str(folder), "--control"]
    with Server(tmp_path_factory.mktemp("server"), "--context", "sim:phone", *options) as server:
        yield server


# What needs no token


@pytest.mark.parametrize("public", ["", "metrics", "health", "metrics,health"])
def test_open_paths(start: Start, public: str) -> None:
    server = start("--context", "sim:phone", *(["--public", public] if public else []))
    expected = {
        "/": 200,
        "/health": 200,
        "/metrics": 200 if "metrics" in public else 401,
        "/ready": 401,
        "/api/v1": 401,
        "/api/v1/openapi.json": 401,
        "/api/v1/sources": 401,
        "/api/v1/stream?source=memory": 401,
        "/nothing": 401,
        "//health": 401,
        "/x/../health": 401,
        "/%2e": 401,
    }
    found = {
        target: ask(server, target, fields={"Authorization": None}).status for target in expected
    }
    assert found == expected


def test_open_answers_have_no_data(phone: Server) -> None:
    none: dict[str, str | None] = {"Authorization": None}
    assert ask(phone, "/health", fields=none).body == b"ok\n"
    page = ask(phone, "/", fields=none).body
    assert b"<html" in page
    assert TOKEN.encode() not in page
    assert b"Simulated" not in page


# Privacy


def test_withheld_values(start: Start, script: str) -> None:
    """They have their reason and their remedy; with --allow they are there."""
    for options, is_shown in [([], False), (["--allow", "serial"], True)]:
        server = start("--context", script, *options)
        reading = get(server, "/sources/battery%7CBAT0/values")
        status = reading["status"].get("serial")
        if is_shown:
            assert (reading["values"]["serial"], status) == ("S-4711", None)
        else:
            assert reading["values"]["serial"] is None
            assert status[0] == "permission"
            assert "allow=serial" in status[2]
        assert get(server, "")["allow"] == (["serial"] if is_shown else [])


@pytest.mark.parametrize(
    "rest", ["/file", "/file.csv?source=wifi", "/file.jsonl", "/file.jsonl?source=wifi"]
)
def test_recordings_with_personal_values(recorded: Server, rest: str) -> None:
    answer = ask(recorded, f"/api/v1/recordings/walk.gkr{rest}")
    assert (answer.status, answer.code) == (403, "PERMISSION")
    assert "--allow" in answer.json["error"]["remedy"]


def test_replayed_personal_values(start: Start, walk: Path) -> None:
    """What was recorded elsewhere is withheld here all the same."""
    for options, is_shown in [([], False), (["--allow", "all"], True)]:
        server = start("--context", f"replay:{walk}", *options)
        assert ask(server, "/api/v1/replay", "POST", body={"position": 5}).status == 200
        values = get(server, "/sources/wifi/values")["values"]
        assert (values["ssid"] is not None) is is_shown


# Files


@pytest.mark.parametrize(
    ("name", "status"),
    [
        ("steps.gkr", 200),
        ("with%20space-1.gkr", 200),
        ("%73teps.gkr", 200),
        ("link.gkr", 404),
        ("own.gkr", 404),
        (".hidden.gkr", 404),
        ("%2ehidden.gkr", 404),
        ("folder.gkr", 404),
        ("noextension", 404),
        ("steps.gkr%00.gkr", 400),
        ("steps.gkr%00", 400),
        ("%C3%BCmlaut.gkr", 404),
        ("inner/inner.gkr", 404),
        ("inner%2Finner.gkr", 404),
        ("..%2Foutside.gkr", 404),
        ("../outside.gkr", 404),
        ("..%2F..%2Fetc%2Fpasswd", 404),
        ("%252e%252e%252foutside.gkr", 404),
        ("..%5Coutside.gkr", 404),
        ("%2Fetc%2Fpasswd", 404),
        ("/etc/passwd", 404),
        ("steps.gkr%0d%0aX-Evil:%20yes", 404),
        ("steps.gkr%20", 404),
        (".gkr", 404),
        ("steps.GKR", 404),
        ("a" * 300 + ".gkr", 404),
    ],
)
@pytest.mark.parametrize("rest", ["", "/file", "/query", "/file.jsonl"])
def test_names_of_recordings(recorded: Server, name: str, rest: str, status: int) -> None:
    answer = ask(recorded, f"/api/v1/recordings/{name}{rest}")
    assert answer.status == status
    assert b"root:" not in answer.body
    assert answer.field("X-Evil") is None
    if status != 200:
        fields = {"Content-Type": "application/json"}
        assert ask(recorded, f"/api/v1/recordings/{name}{rest}", "DELETE", fields).status >= 400


def test_list_of_recordings(recorded: Server) -> None:
    names = {row["name"] for row in get(recorded, "/recordings")["recordings"]}
    assert names >= {"steps.gkr", "walk.gkr"}
    assert names <= {"steps.gkr", "walk.gkr", "with space-1.gkr"}


# Control


@pytest.mark.parametrize(
    ("method", "target", "body"),
    [
        ("POST", "/api/v1/recordings", {"name": "new.gkr", "sources": ["memory"]}),
        ("POST", "/api/v1/recordings/steps.gkr/stop", {}),
        ("DELETE", "/api/v1/recordings/steps.gkr", None),
        ("POST", "/api/v1/sources/accelerometer/settings", {"inverted": True}),
        ("POST", "/api/v1/rescan", {}),
    ],
)
def test_no_control(
    start: Start, tmp_path: Path, steps: Path, method: str, target: str, body: object
) -> None:
    folder = tmp_path / "recordings"
    folder.mkdir()
    shutil.copy(steps, folder / "steps.gkr")
    server = start("--context", "sim:phone", "--recordings", str(folder))
    answer = ask(server, target, method, {"Content-Type": "application/json"}, body)
    assert (answer.status, answer.code) == (403, "PERMISSION")
    assert "--control" in answer.json["error"]["remedy"]
    assert [file.name for file in folder.iterdir()] == ["steps.gkr"]
    paths = get(server, "")["paths"]
    assert {row["method"] for row in paths if "replay" not in row["path"]} == {"GET"}
