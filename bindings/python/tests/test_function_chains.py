"""Functions of Python behind a stream run in Python: the same values, order and errors as in C."""

from __future__ import annotations

import gc
from typing import Any

import pytest

import gatheredkit as gk
from gatheredkit import _callbacks
from gatheredkit._library import native


def subscriptions(stream: gk.Stream[Any]) -> int:
    """How many C has."""
    return native().gkit_stream_subscriber_count(stream.address)


def test_a_chain_of_functions_crosses_once_and_counts_as_the_laws_say(
    context: gk.Context,
) -> None:
    """streams L21, L25."""
    signal: gk.Signal[int] = gk.Signal(context=context)
    calls: list[int] = []
    doubled = signal.map(lambda value: calls.append(value) or value * 2)
    large = doubled.filter(lambda value: value > 2)
    words = large.compact_map(lambda value: None if value == 6 else str(value))
    letters = words.flat_map(list)
    seen: list[str] = []
    connections = [letters.subscribe(seen.append), letters.subscribe(seen.append)]
    assert [stream.subscriber_count for stream in (signal, doubled, large, words, letters)] == [
        2,
        2,
        2,
        2,
        2,
    ]
    for value in (1, 2, 3, 5):
        signal.send(value)
    assert seen == ["4", "4", "1", "0", "1", "0"]
    assert calls == [1, 1, 2, 2, 3, 3, 5, 5]
    assert subscriptions(signal) == 1
    shared = words.buffered()
    with shared.subscribe(lambda _: None), shared.subscribe(lambda _: None):
        assert (words.subscriber_count, signal.subscriber_count) == (3, 3)
    connections[0].disconnect()
    assert [stream.subscriber_count for stream in (signal, doubled, letters)] == [1, 1, 1]
    doubled.close()
    assert doubled.closed
    connections[1].disconnect()
    seen.clear()
    with letters.subscribe(seen.append):
        signal.send(21)
    assert seen == ["4", "2"]


def test_the_error_of_a_function_is_that_of_its_stage_however_long_the_chain(
    context: gk.Context, unraisable: list[Any]
) -> None:
    """streams L21, L25."""
    signal: gk.Signal[int] = gk.Signal(context=context)
    streams: list[gk.Stream[int]] = [signal]
    failing = {"at": -1}

    def stage(number: int, value: int) -> int:
        if failing["at"] == number:
            raise ValueError(number)
        return value + 1

    for number in range(40):
        last = streams[-1]
        if number % 2:
            made = last.filter(lambda value, number=number: stage(number, value))
        else:
            made = last.map(lambda value, number=number: stage(number, value))
        streams.append(made)
    seen: list[int] = []
    with streams[-1].subscribe(seen.append):
        signal.send(1)
        assert seen == [21]
        for number in range(40):
            failing["at"] = number
            signal.send(1)
            assert str(streams[number + 1].error) == str(number)
        failing["at"] = -1
        signal.send(2)
    assert seen == [21, 22]
    assert len(unraisable) == 40


def test_values_of_functions_are_what_c_would_give_back(
    context: gk.Context, unraisable: list[Any]
) -> None:
    signal: gk.Signal[int] = gk.Signal(context=context)
    made: list[Any] = [(1, 2), bytearray(b"x"), "grün", True, {"a": (1, 2)}, 1 << 64, {1}, None]
    stream = signal.map(lambda index: made[index])
    seen: list[Any] = []
    stream.subscribe(seen.append)
    through_c: list[Any] = []
    stream.buffered().subscribe(through_c.append)
    for index in range(len(made)):
        signal.send(index)
    assert seen == through_c
    assert seen == [gk.Vector(1, 2), b"x", "grün", True, {"a": gk.Vector(1, 2)}, None]
    assert [type(value) for value in seen] == [type(value) for value in through_c]
    assert isinstance(stream.error, gk.TypeMismatchError)


def test_an_exception_is_the_error_of_its_stage(context: gk.Context, unraisable: list[Any]) -> None:
    """streams L25: only `compact_map` leaves out None."""
    signal: gk.Signal[int] = gk.Signal(context=context)
    inverse = signal.map(lambda value: 12 // value)
    short = inverse.filter(lambda value: [value][value - 12] < 12)
    words = short.compact_map(lambda value: None if value == 6 else str(value))
    nothing = words.map(lambda value: None if value == "4" else value)
    seen: list[object] = []
    connection = nothing.subscribe(seen.append)
    for value in (0, 1, 2, 3):
        signal.send(value)
    assert seen == []
    assert isinstance(inverse.error, ZeroDivisionError)
    assert isinstance(short.error, IndexError)
    assert words.error is nothing.error is connection.error is None
    short = inverse.filter(lambda value: value < 12)
    short.map(lambda value: None if value == 6 else value).subscribe(seen.append)
    for value in (1, 2, 3):
        signal.send(value)
    assert seen == [None, 4]


def test_leaving_ends_a_list_that_is_being_spread(context: gk.Context) -> None:
    """streams L8."""
    signal: gk.Signal[int] = gk.Signal(context=context)
    seen: list[int] = []

    def sink(value: int) -> None:
        seen.append(value)
        if value == 1:
            connection.disconnect()

    connection = signal.flat_map(range).subscribe(sink)
    signal.send(5)
    assert seen == [0, 1]


def test_a_chain_lives_as_long_as_what_it_stems_from(context: gk.Context, no_leaks: None) -> None:
    entries = _callbacks.living_entries()
    seen: list[int] = []

    def send() -> None:
        signal: gk.Signal[int] = gk.Signal(context=context)
        signal.map(lambda value: value + signal.subscriber_count).subscribe(seen.append)
        gc.collect()
        signal.send(1)

    send()
    assert seen == [2]
    gc.collect()
    assert _callbacks.living_entries() == entries


def test_an_option_of_a_chain_is_one_of_c(context: gk.Context) -> None:
    """streams L12: what is subscribed after it is delivered by C, which holds to the limit."""
    signal: gk.Signal[int] = gk.Signal(context=context)
    stream = signal.map(lambda value: -value)
    stream.set_option("cascade_limit", 5)
    with pytest.raises(gk.NotSupportedError):
        signal.map(str).set_option("replays_last", True)
    seen: list[int] = []
    stream.subscribe(seen.append)
    signal.send(1)
    assert seen == [-1]
    assert (subscriptions(stream), stream.subscriber_count) == (1, 1)
