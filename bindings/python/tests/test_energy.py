"""What a block of a program took: `with gk.energy() as used`."""

from __future__ import annotations

import pytest

import gatheredkit as gk

from .conftest import Open

SCRIPT = """\
0 add power|package-0
0 set power|package-0/domain "package"
0 set power|package-0/energy 1000
0 add power|package-0.dram
0 set power|package-0.dram/domain "memory"
0 set power|package-0.dram/energy 100
0 add power|package-0.core
0 set power|package-0.core/domain "cores"
0 set power|package-0.core/energy 700
0 add power|battery
0 set power|battery/domain "battery"
0 absent power|battery/energy unsupported a battery has none
4 set power|package-0/energy 1250
4 set power|package-0.dram/energy 130
4 set power|package-0.core/energy 900
8 set power|package-0/energy 9999
"""


def test_joules_of_each_source_and_of_the_machine(open_script: Open) -> None:
    context = open_script(SCRIPT)
    with gk.energy(context) as used:
        assert (used.total, used.duration) == (0, 0)
        context.seek(5)
        # What a package counts has the cores in it, and not the memory.
        assert used.total == 280
    context.seek(10)
    expected = {"power|package-0": 250, "power|package-0.dram": 30, "power|package-0.core": 200}
    assert dict(used) == expected
    assert (used.total, used.duration, len(used)) == (280, 5, 3)
    assert used.missing == {"power|battery": "power|battery: a battery has none"}
    assert "power|battery" not in used
    assert repr(used).startswith("<EnergyUsed power|package-0 250 J, ")
    assert gk.live_count("source") == 0


def test_a_counter_that_may_not_be_read_is_told_with_its_remedy(open_script: Open) -> None:
    counter = "power|package-0.dram/energy"
    denied = f"4 absent {counter} permission energy_uj: Permission denied"
    context = open_script(SCRIPT.replace(f"4 set {counter} 130", denied))
    with gk.energy(context) as used:
        context.seek(5)
    assert used["power|package-0"] == 250
    assert "Permission denied" in used.missing["power|package-0.dram"]
    with pytest.raises(gk.PermissionDeniedError, match="Permission denied") as caught:
        _ = used.total
    assert caught.value.remedy
    with pytest.raises(KeyError):
        used["power|package-0.dram"]


def test_a_machine_without_counters_says_so(open_script: Open) -> None:
    with gk.energy(open_script("0 add memory|machine\n")) as used:
        assert dict(used) == {}
    with pytest.raises(gk.NoDataError, match="power"):
        _ = used.total
    assert repr(used) == "<EnergyUsed nothing counts>"


def test_a_counter_that_was_not_there_at_first_has_no_number(open_script: Open) -> None:
    counter = "power|package-0/energy"
    missing = f"0 absent {counter} noData not yet"
    context = open_script(SCRIPT.replace(f"0 set {counter} 1000", missing))
    with gk.energy(context) as used:
        context.seek(5)
    assert "power|package-0" not in used
    with pytest.raises(gk.NoDataError, match="when the block began"):
        _ = used.total


def test_an_error_in_the_block_ends_it_all_the_same(open_script: Open) -> None:
    context = open_script(SCRIPT)
    used = gk.energy(context)

    def fail() -> None:
        with used:
            context.seek(5)
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail()
    assert used.total == 280
    assert gk.live_count("source") == 0
