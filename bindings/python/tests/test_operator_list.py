"""The list of operators: streams are made as it says."""

from __future__ import annotations

from itertools import combinations

import pytest

import gatheredkit as gk
from gatheredkit._operators import OperatorOption
from gatheredkit._stream import combined

LISTED = {found.name: found for found in gk.operators()}
APPLIED = [found for found in LISTED.values() if found.by == "apply"]
COMBINED = [found for found in LISTED.values() if found.by == "combine"]


# Operators of lists and sets alone.
OF_LISTS = {"count", "sum", "contains", "sorted", "elements", "each", "concat"}


def held_by(name: str, context: gk.Context) -> gk.Observable[object]:
    """What an operator can be applied to."""
    if name in OF_LISTS:
        return gk.ListVariable[object]([0], context=context)
    if name == "union":
        return gk.SetVariable[object]([0], context=context)
    return gk.Variable[object](0, context=context)


def fitting(option: OperatorOption) -> object:
    """A value that an option takes."""
    return "x" if option["hint"] == "any" else option.get("least", option.get("default"))


def obeys(operator: gk.Operator, given: tuple[OperatorOption, ...]) -> bool:
    """Whether the rule of an operator allows just these options."""
    if operator.need == "exactlyOne":
        return len(given) == 1
    if operator.need == "atLeastOne":
        return len(given) >= 1
    return all(option in given for option in operator.options if option["required"])


def test_a_row_has_members_and_attributes() -> None:
    throttle = LISTED["throttle"]
    assert repr(throttle) == "<Operator throttle>"
    assert throttle["summary"] == throttle.summary != ""
    assert (throttle.by, throttle.least_inputs, throttle.most_inputs) == ("apply", 1, 1)
    assert throttle.need == "required"
    assert throttle.options == [
        {"name": "duration_ns", "hint": "int", "unit": "ns", "least": 1, "required": True},
        {"name": "latest", "hint": "bool", "default": True, "required": False},
    ]
    assert not throttle.needs_observable
    assert LISTED["changes"].needs_observable
    assert (LISTED["window"].need, LISTED["batch"].need) == ("exactlyOne", "atLeastOne")
    assert (LISTED["merge"].least_inputs, LISTED["merge"].most_inputs) == (1, None)
    assert (LISTED["-"].least_inputs, LISTED["-"].most_inputs) == (1, 2)


def test_each_name_is_listed_once() -> None:
    assert len(gk.operators()) == len(LISTED) == len(APPLIED) + len(COMBINED)
    assert all(found.summary for found in LISTED.values())


@pytest.mark.parametrize("operator", APPLIED, ids=lambda found: found.name)
def test_an_operator_takes_the_options_it_lists(operator: gk.Operator, context: gk.Context) -> None:
    held, signal = held_by(operator.name, context), gk.Signal[int](context=context)
    for count in range(len(operator.options) + 1):
        for given in combinations(operator.options, count):
            arguments = {option["name"]: fitting(option) for option in given}
            if not obeys(operator, given):
                with pytest.raises(gk.InvalidArgumentError):
                    held.apply(operator.name, **arguments)
                continue
            assert isinstance(held.apply(operator.name, **arguments), gk.Stream)
            with pytest.raises(gk.InvalidArgumentError):
                held.apply(operator.name, **arguments, nonsense=1)
            if operator.needs_observable:
                with pytest.raises(gk.NotSupportedError):
                    signal.apply(operator.name, **arguments)
            else:
                assert isinstance(signal.apply(operator.name, **arguments), gk.Stream)


@pytest.mark.parametrize("operator", COMBINED, ids=lambda found: found.name)
def test_an_operator_takes_as_many_streams_as_it_lists(
    operator: gk.Operator, context: gk.Context
) -> None:
    most = 4 if operator.most_inputs is None else operator.most_inputs
    for count in range(1, 5):
        streams = [held_by(operator.name, context) for _ in range(count)]
        if operator.least_inputs <= count <= most:
            assert isinstance(combined(operator.name, *streams), gk.Stream)
        else:
            with pytest.raises(gk.InvalidArgumentError):
                combined(operator.name, *streams)


def test_a_list_belongs_to_its_caller() -> None:
    rows = gk.operators()
    rows[0].clear()
    rows.clear()
    assert [found.name for found in gk.operators()] == list(LISTED)
