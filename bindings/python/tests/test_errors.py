"""One table from status to error."""

from __future__ import annotations

import pickle
import traceback

import pytest

import gatheredkit as gk
from gatheredkit._errors import ERRORS, make_error, unknown_key


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
        (gk.FailedError, OSError),
        (gk.InputOutputError, OSError),
        (gk.NotImplementedVerbError, NotImplementedError),
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
            assert str(error) == "no such luck; try again"


def test_the_text_of_an_error_ends_with_its_remedy_once() -> None:
    assert str(gk.BusyError("taken", remedy="wait")) == "taken; wait"
    assert str(gk.BusyError("taken; wait", remedy="wait")) == "taken; wait"
    assert str(gk.BusyError("", remedy="wait")) == "wait"
    assert str(gk.BusyError("taken")) == "taken"
    graph = gk.GraphError("bad", remedy="draw it anew")
    assert str(pickle.loads(pickle.dumps(graph))) == "bad; draw it anew"
    assert traceback.format_exception_only(graph)[-1].endswith("bad; draw it anew\n")


def test_an_unknown_name_has_its_nearest_names() -> None:
    error = unknown_key("property", "availble", ["total", "available", "free"])
    assert str(error) == "no property 'availble'; did you mean available?"
    assert (error.remedy, error.nearest) == ("did you mean available?", ["available"])
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.nearest) == (str(error), ["available"])
    several = unknown_key("property", "rx_byte", ["rx_bytes", "tx_bytes"])
    assert str(several) == "no property 'rx_byte'; did you mean rx_bytes or tx_bytes?"
    assert str(unknown_key("patch", "q", ["norm"])) == "no patch 'q'; there are norm"
    assert str(unknown_key("patch", "q", [])) == "no patch 'q'; there are none"


def test_what_errors_of_data_sources_say_further_survives_pickling() -> None:
    error = gk.NotFoundError("two are missing")
    assert (error.missing, error.completed, error.causes) == ((), (), ())
    error.missing, error.completed = ["a", "b"], ["main"]
    error.causes = [ValueError("mine")]
    again = pickle.loads(pickle.dumps(error))
    assert (again.missing, again.completed) == (["a", "b"], ["main"])
    assert [repr(cause) for cause in again.causes] == ["ValueError('mine')"]
    assert pickle.loads(pickle.dumps(gk.GraphError("bad", problems=[]))).problems == []


@pytest.mark.parametrize(
    ("word", "status"),
    [
        ("GatheredKitError", gk.Status.ERROR),
        ("NotFoundError", gk.Status.NOT_FOUND),
        ("InvalidArgumentError", gk.Status.INVALID_ARGUMENT),
        ("NotImplementedVerbError", gk.Status.NOT_IMPLEMENTED),
        ("ValidationError", gk.Status.VALIDATION),
        ("FailedError", gk.Status.IO),
        ("NotSupportedError", gk.Status.NOT_SUPPORTED),
        ("ParseError", gk.Status.PARSE),
        ("TimedOutError", gk.Status.TIMEOUT),
        ("CancelledError", gk.Status.CANCELLED),
    ],
)
def test_the_errors_of_data_sources(word: str, status: gk.Status) -> None:
    """Data sources 5."""
    assert ERRORS[status].__name__ == word


def test_unknown_statuses_are_plain_errors_and_the_hosts_own_are_host_errors() -> None:
    plain = make_error(-55, 0, "new")
    assert type(plain) is gk.GatheredKitError
    assert plain.code == -55
    assert type(make_error(-107, 0, "mine")) is gk.HostError


def test_an_unknown_key_reads_like_a_sentence() -> None:
    assert str(gk.UnknownKeyError("no property 'x'")) == "no property 'x'"


def test_public_classes_print_under_their_public_names() -> None:
    classes = [each for name in gk.__all__ if isinstance(each := getattr(gk, name), type)]
    assert [each for each in classes if each.__module__ != "gatheredkit"] == []
    assert len(classes) > 60
    for each in classes:
        assert getattr(gk, each.__qualname__) is each
    told = "".join(traceback.format_exception_only(gk.ValidationError("not valid")))
    assert told == "gatheredkit.ValidationError: not valid\n"
