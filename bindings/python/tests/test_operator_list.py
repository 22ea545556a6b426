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


def held(kind: str, context: gk.Context) -> gk.Observable[object]:
    """A stream of a type that holds something."""
    if kind == "list":
        return gk.ListVariable[object]([0], context=context)
    if kind == "set":
        return gk.SetVariable[object]([0], context=context)
    return gk.Variable[object](0, context=context)


def held_for(operator: gk.Operator, context: gk.Context) -> gk.Observable[object]:
    """What an operator can be applied to."""
    return held(next(iter(operator.collections), "variable"), context)


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
    stream, signal = held_for(operator, context), gk.Signal[int](context=context)
    for count in range(len(operator.options) + 1):
        for given in combinations(operator.options, count):
            arguments = {option["name"]: fitting(option) for option in given}
            if not obeys(operator, given):
                with pytest.raises(gk.InvalidArgumentError):
                    stream.apply(operator.name, **arguments)
                continue
            assert isinstance(stream.apply(operator.name, **arguments), gk.Stream)
            with pytest.raises(gk.InvalidArgumentError):
                stream.apply(operator.name, **arguments, nonsense=1)
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
        streams = [held_for(operator, context) for _ in range(count)]
        if operator.least_inputs <= count <= most:
            assert isinstance(combined(operator.name, *streams), gk.Stream)
        else:
            with pytest.raises(gk.InvalidArgumentError):
                combined(operator.name, *streams)


@pytest.mark.parametrize("operator", LISTED.values(), ids=lambda found: found.name)
@pytest.mark.parametrize("kind", ["variable", "list", "set"])
def test_an_operator_takes_the_types_it_lists(
    operator: gk.Operator, kind: str, context: gk.Context
) -> None:
    def make() -> object:
        stream = held(kind, context)
        if operator.by == "combine":
            return combined(operator.name, *[stream] * operator.least_inputs)
        some = operator.options if operator.need == "required" else operator.options[:1]
        needed = [option for option in some if option["required"] or operator.need != "required"]
        return stream.apply(operator.name, **{each["name"]: fitting(each) for each in needed})

    if not operator.collections or kind in operator.collections:
        assert isinstance(make(), gk.Stream)
    else:
        assert operator.needs_observable
        with pytest.raises(gk.NotSupportedError):
            make()


def test_a_list_belongs_to_its_caller() -> None:
    rows = gk.operators()
    rows[0].clear()
    rows.clear()
    assert [found.name for found in gk.operators()] == list(LISTED)
