"""One table from status to error."""

from __future__ import annotations

import pickle

import pytest

import gatheredkit as gk
from gatheredkit._errors import ERRORS, make_error


def test_every_status_of_the_header_has_its_own_error() -> None:
    assert set(ERRORS) == set(gk.Status) - {gk.Status.OK}
    assert len(set(ERRORS.values())) == len(ERRORS)
    for status, error in ERRORS.items():
        assert error.default_code is status
        assert getattr(gk, error.__name__) is error


@pytest.mark.parametrize(
    ("error", "builtin"),
    [
        (gk.NotFoundError, LookupError),
        (gk.PermissionDeniedError, PermissionError),
        (gk.TimedOutError, TimeoutError),
        (gk.InvalidArgumentError, ValueError),
        (gk.ParseError, ValueError),
        (gk.TypeMismatchError, TypeError),
        (gk.InputOutputError, OSError),
        (gk.OutOfMemoryError, MemoryError),
        (gk.UnknownKeyError, KeyError),
    ],
)
def test_errors_are_also_what_a_python_user_catches(
    error: type[gk.GatheredKitError], builtin: type[Exception]
) -> None:
    assert issubclass(error, builtin)
    assert issubclass(error, gk.GatheredKitError)


def test_errors_carry_code_errno_and_remedy_and_survive_pickling() -> None:
    for status in gk.Status:
        if status is gk.Status.OK:
            continue
        made = make_error(status, 13, "no such luck", "try again")
        again = pickle.loads(pickle.dumps(made))
        for error in (made, again):
            assert type(error) is ERRORS[status]
            assert (error.code, error.errno, error.remedy) == (status, 13, "try again")
            assert str(error) == "no such luck"


def test_unknown_statuses_are_plain_errors_and_the_hosts_own_are_host_errors() -> None:
    plain = make_error(-55, 0, "new")
    assert type(plain) is gk.GatheredKitError
    assert plain.code == -55
    assert type(make_error(-107, 0, "mine")) is gk.HostError


def test_an_unknown_key_reads_like_a_sentence() -> None:
    assert str(gk.UnknownKeyError("no property 'x'")) == "no property 'x'"
