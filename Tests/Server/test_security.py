"""Who gets an answer: the token and the host (serve W2, W7, W8)."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from .asking import BEARER, ask, request, send
from .conftest import Start
from .guards import is_guarded
from .serving import TOKEN, Server

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
def named(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
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
