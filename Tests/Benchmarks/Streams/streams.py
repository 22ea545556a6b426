"""Streams from Python: gatheredkit beside reactivex and psygnal. Prints rows as measure.h does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gatheredkit as gk
import psygnal
import reactivex
from reactivex import operators
from reactivex.subject import BehaviorSubject, Subject

from measure import measure, row


def ignore(_: object) -> None:
    """What every sink does."""


def compare(
    name: str, share: int, ours: Callable[[], object], aim: str = "", **peers: Callable[[], object]
) -> None:
    """Nanoseconds of a delivery, of which one run makes `share`."""
    mine, *theirs = (spent * 1e3 / share for spent in measure(ours, *peers.values()))
    for peer, spent in zip(peers, theirs, strict=True):
        row(name, mine, "ns", peer, spent, aim)


class Emitter:
    """The signal of psygnal."""

    sent = psygnal.Signal(int)


def sending(context: gk.Context, count: int) -> None:
    signal: gk.Signal[int] = gk.Signal(context=context)
    subject: Subject[int] = Subject()
    emitter = Emitter()
    connections = [signal.subscribe(ignore) for _ in range(count)]
    for _ in range(count):
        subject.subscribe(ignore)
        emitter.sent.connect(lambda _: None, unique=False)
    compare(
        f"Python: send to one of {count}",
        count,
        lambda: signal.send(1),
        {1: "<= 1000 ns", 10: "<= 180 ns", 1000: "<= 90 ns"}[count],
        reactivex=lambda: subject.on_next(1),
        psygnal=lambda: emitter.sent.emit(1),
    )
    del connections


def chain(context: gk.Context, stages: int) -> None:
    signal: gk.Signal[int] = gk.Signal(context=context)
    subject: Subject[int] = Subject()
    stream: gk.Stream[int] = signal
    steps: list[Any] = []
    for stage in range(stages):
        if stage % 2 == 0:
            stream = stream.map(lambda value: value + 1)
            steps.append(operators.map(lambda value: value + 1))
        else:
            stream = stream.filter(lambda value: value > 0)
            steps.append(operators.filter(lambda value: value > 0))
    connection = stream.subscribe(ignore)
    subject.pipe(*steps).subscribe(ignore)
    name = f"Python: one of {stages} stage{'' if stages == 1 else 's'}"
    aim = "<= 200 ns" if stages == 5 else ""
    compare(name, stages, lambda: signal.send(1), aim, reactivex=lambda: subject.on_next(1))
    connection.disconnect()


def combining(context: gk.Context) -> None:
    left, right = gk.Variable(0, context=context), gk.Variable(1, context=context)
    connection = (left + right).future_values.subscribe(ignore)
    first, second = BehaviorSubject(0), BehaviorSubject(1)
    reactivex.combine_latest(first, second).pipe(operators.map(sum)).subscribe(ignore)
    values, emitters = [0, 1], (Emitter(), Emitter())
    for emitter in emitters:
        emitter.sent.connect(lambda _: ignore(sum(values)))

    def set_first() -> None:
        values[0] = 2
        emitters[0].sent.emit(2)

    def set_left() -> None:
        left.value = 2

    compare(
        "Python: set one of two combined",
        1,
        set_left,
        "<= 1800 ns",
        reactivex=lambda: first.on_next(2),
        psygnal=set_first,
    )
    connection.disconnect()


def main() -> None:
    with gk.Context("sim:empty", loop="manual") as context:
        for count in (1, 10, 1000):
            sending(context, count)
        for stages in (1, 5, 20):
            chain(context, stages)
        combining(context)


if __name__ == "__main__":
    main()
