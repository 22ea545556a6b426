"""Lists and sets that tell how they change, and the instances of a context as a list."""

from __future__ import annotations

import random
from typing import Any

import pytest

import gatheredkit as gk


def heard(stream: gk.Stream[Any]) -> list[Any]:
    """What a stream sends from now on."""
    seen: list[Any] = []
    stream.subscribe(seen.append)
    return seen


def test_a_list_is_a_mutable_sequence(context: gk.Context) -> None:
    """streams L87, L88: beside a list of Python, operation by operation."""
    chance = random.Random(7)
    plain: list[int] = [1, 2, 3]
    kept = gk.ListVariable(plain, context=context)
    copy = list(plain)
    kept.changes.subscribe(lambda change: change.apply(copy))
    for step in range(300):
        at, value = chance.randint(-4, len(plain) + 2), chance.randint(0, 9)
        for items in (plain, kept):
            match step % 7:
                case 0:
                    items.insert(at, value)
                case 1:
                    items.append(value)
                case 2:
                    items[at : at + 2] = [value, value]
                case 3:
                    if items:
                        del items[at % len(items)]
                case 4:
                    if items:
                        items[at % len(items)] = value
                case 5:
                    items.extend([value])
                case _:
                    del items[at : at + 2]
        assert list(kept) == plain == copy
    assert kept[0] == plain[0]
    assert kept[1:] == plain[1:]
    with pytest.raises(IndexError):
        kept[len(kept)] = 1
    plain.reverse()
    kept.reverse()
    kept[::2] = [0] * len(plain[::2])
    plain[::2] = [0] * len(plain[::2])
    assert list(kept) == plain == copy


def test_what_is_made_of_lists_follows_them(context: gk.Context, no_leaks: None) -> None:
    """streams L92, L93, L95 to L97, L99."""
    rows = gk.ListVariable([{"n": 2, "t": "b"}, {"n": 1, "t": "a"}], context=context)
    names = rows.sorted("n").map(lambda row: row["t"])
    large = rows.map(lambda row: row["n"]).filter(lambda n: n > 1)
    changes, sums, sizes = heard(names.changes), heard(large.sum()), heard(rows.size)
    new, has = heard(rows.elements), heard(names.contains("c"))
    both = names.concat(names)
    rows.append({"n": 3, "t": "c"})
    assert list(names) == ["a", "b", "c"]
    assert changes == [gk.ListChange(2, (gk.ListModification(2, (), ("c",)),))]
    assert (sums, sizes, has) == ([2, 5], [2, 3], [False, True])
    assert new == [{"n": 3, "t": "c"}]
    assert list(both) == ["a", "b", "c"] * 2
    with pytest.raises(AttributeError):
        names.append("d")  # type: ignore[attr-defined]


def test_a_transaction_is_one_change_and_a_copy_follows(context: gk.Context) -> None:
    """streams L89, L91."""
    kept = gk.ListVariable([1, 2, 3], context=context)
    copy = gk.ListVariable([1, 2, 3], context=context)
    kept.changes.subscribe(copy.apply_change)
    with kept.transaction():
        kept.append(4)
        del kept[0]
    assert list(copy) == [2, 3, 4]
    with pytest.raises(gk.InvalidArgumentError, match="modification 0"):
        copy.apply_change(gk.ListChange(3, (gk.ListModification(0, (9,)),)))


def test_an_exception_drops_the_element(context: gk.Context, unraisable: list[Any]) -> None:
    """streams L93: a function that fails has no result for an element."""
    kept = gk.ListVariable([1, 0, 2], context=context)
    made = kept.map(lambda n: 6 // n)
    assert made.value == [6, 3]
    assert isinstance(made.error, ZeroDivisionError)
    assert [type(each.exc_value) for each in unraisable] == [ZeroDivisionError]


def test_the_algebra_of_changes() -> None:
    """streams L82, L83, L85."""
    chance = random.Random(3)

    def change(items: list[int]) -> gk.ListChange[int]:
        count, made = len(items), []
        for _ in range(chance.randint(0, 4)):
            at = chance.randint(0, len(items))
            old = items[at : at + chance.randint(0, 3)]
            new = [chance.randint(0, 9) for _ in range(chance.randint(0, 3))]
            items[at : at + len(old)] = new
            made.append(gk.ListModification(at, tuple(old), tuple(new)))
        return gk.ListChange.of(count, made)

    for _ in range(500):
        start = [chance.randint(0, 9) for _ in range(chance.randint(0, 8))]
        items = list(start)
        a, b, c = change(items), change(items), change(items)
        assert a.merged(b).merged(c) == a.merged(b.merged(c))
        assert a.merged(b).reversed() == b.reversed().merged(a.reversed())
        other = list(start)
        a.merged(b).merged(c).apply(other)
        assert other == items
        a.merged(b).merged(c).reversed().apply(other)
        assert other == start
    moved = gk.ListChange.of(
        3, [gk.ListModification(0, ("a",)), gk.ListModification(2, (), ("a",))]
    )
    assert moved.moves() == [(0, 2)]
    one, two = gk.SetChange((1,), (2,)), gk.SetChange((2,), (1, 3))
    assert one.merged(two) == gk.SetChange((), (3,))


def test_a_set_is_a_mutable_set(context: gk.Context, no_leaks: None) -> None:
    """streams L85, L88, L98."""
    kept = gk.SetVariable(["b", "a"], context=context)
    other = gk.SetVariable(["z"], context=context)
    joined, lengths = kept.union(other), kept.map(len)
    changes, joins, sizes = heard(kept.changes), heard(joined.changes), heard(lengths.size)
    kept.add("a")
    kept.add("ccc")
    kept.discard("x")
    kept.update(["z", "b"])
    kept.remove("z")
    assert list(kept) == ["b", "a", "ccc"]
    assert kept == {"a", "b", "ccc"}
    assert changes == [
        gk.SetChange((), ("ccc",)),
        gk.SetChange((), ("z",)),
        gk.SetChange(("z",), ()),
    ]
    assert joins == [gk.SetChange((), ("ccc",))]
    assert sizes == [1, 2]
    assert list(kept.sorted()) == ["a", "b", "ccc"]
    with pytest.raises(KeyError):
        kept.remove("x")


def test_instances_are_a_list(context: gk.Context) -> None:
    """streams L101 to L103."""
    with gk.Context("sim:phone", loop="manual") as phone:
        kinds = phone.instances("battery")
        assert [row["id"] for row in kinds] == [row.id for row in phone.sources("battery")]
        assert len(phone.instances()) == len(phone.sources())
        with pytest.raises(gk.NotFoundError):
            phone.instances("batery")
        opened: list[str] = []
        connection = phone.gather("battery", lambda source: opened.append(source.id))
        assert opened == [row["id"] for row in kinds]
        connection.disconnect()
