"""What cannot be called is refused where it is handed over."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import gatheredkit as gk

NO_FUNCTION: Any = 5

Refused = Callable[[gk.Context], object]

EXPORTED = Path("there is no such recording")

# Every parameter that takes a function, and a call that hands it none.
REFUSED: dict[str, Refused] = {
    "EventLoop.invoke fn": lambda context: context.invoke(NO_FUNCTION),
    "EventLoop.on_close method": lambda context: context.on_close(NO_FUNCTION),
    "Context.listen_events fn": lambda context: context.listen_events(NO_FUNCTION),
    "Events.__init__ connect": lambda context: gk.Events(context, NO_FUNCTION, 1),
    "Source.listen fn": lambda context: context.open("memory").listen(NO_FUNCTION),
    "Source.listen_events fn": lambda context: context.open("memory").listen_events(NO_FUNCTION),
    "Flow.subscribe sink": lambda context: signal(context).subscribe(NO_FUNCTION),
    "Flow.subscribe_into sink": lambda context: signal(context).subscribe_into(set(), NO_FUNCTION),
    "Publink.subscribe sink": lambda context: gk.Publink(context=context).subscribe(
        NO_FUNCTION, "name"
    ),
    "Stream.map f": lambda context: signal(context).map(NO_FUNCTION),
    "Stream.filter predicate": lambda context: signal(context).filter(NO_FUNCTION),
    "Stream.compact_map f": lambda context: signal(context).compact_map(NO_FUNCTION),
    "Stream.flat_map f": lambda context: signal(context).flat_map(NO_FUNCTION),
    "Observable.map f": lambda context: gk.Variable(1, context=context).map(NO_FUNCTION),
    "Observable.map inverse": lambda context: gk.Variable(1, context=context).map(str, NO_FUNCTION),
    "Context.gather body": lambda context: context.gather(None, NO_FUNCTION),
    "ObservableList.map f": lambda context: gk.ListVariable([1], context=context).map(NO_FUNCTION),
    "ObservableList.filter predicate": lambda context: gk.ListVariable([1], context=context).filter(
        NO_FUNCTION
    ),
    "ObservableSet.map f": lambda context: gk.SetVariable([1], context=context).map(NO_FUNCTION),
    "ObservableSet.filter predicate": lambda context: gk.SetVariable([1], context=context).filter(
        NO_FUNCTION
    ),
    "Patch.add_input handler": lambda context: gk.Patch(context=context).add_input(
        "in", NO_FUNCTION
    ),
    "DataSource.custom get": lambda context: gk.DataSource.custom(get=NO_FUNCTION, context=context),
    "DataSource.custom get_all": lambda context: gk.DataSource.custom(
        get_all=NO_FUNCTION, context=context
    ),
    "DataSource.custom put": lambda context: gk.DataSource.custom(put=NO_FUNCTION, context=context),
    "DataSource.custom put_all": lambda context: gk.DataSource.custom(
        put_all=NO_FUNCTION, context=context
    ),
    "DataSource.custom delete": lambda context: gk.DataSource.custom(
        delete=NO_FUNCTION, context=context
    ),
    "DataSource.map encode": lambda context: store(context).map(NO_FUNCTION, str),
    "DataSource.map decode": lambda context: store(context).map(str, NO_FUNCTION),
    "DataSource.validate check": lambda context: store(context).validate(NO_FUNCTION),
    "DataSource.retry retry_if": lambda context: store(context).retry(retry_if=NO_FUNCTION),
    "Repository.__init__ valid": lambda context: gk.Repository(store(context), valid=NO_FUNCTION),
    "Repository.__init__ fallback": lambda context: gk.Repository(
        store(context), fallback=NO_FUNCTION
    ),
    "Future.listen hear": lambda context: future(context).listen(NO_FUNCTION),
    "Future.then body": lambda context: future(context).then(NO_FUNCTION),
    "Future.fail body": lambda context: future(context).fail(NO_FUNCTION),
    "Future.on_completion body": lambda context: future(context).on_completion(NO_FUNCTION),
    "Future.map f": lambda context: future(context).map(NO_FUNCTION),
    "Future.flat_map f": lambda context: future(context).flat_map(NO_FUNCTION),
    "Future.filter is_wanted": lambda context: future(context).filter(NO_FUNCTION),
    "Future.map_error f": lambda context: future(context).map_error(NO_FUNCTION),
    "Future.recover rescue": lambda context: future(context).recover(NO_FUNCTION),
    "Promise.__init__ on_cancel": lambda context: gk.Promise(
        context=context, on_cancel=NO_FUNCTION
    ),
    "Promise.__init__ intercept": lambda context: gk.Promise(
        context=context, intercept=NO_FUNCTION
    ),
    "export progress": lambda _: gk.export(EXPORTED, "x.mcap", progress=NO_FUNCTION),
}

# What annotations of functions are called here; a class is not a function.
FUNCTIONS = ("Callable[", "Progress", "RetryFunction", "Verb")


def signal(context: gk.Context) -> gk.Signal[Any]:
    return gk.Signal(context=context)


def store(context: gk.Context) -> gk.DataSource:
    return gk.DataSource("memory", context=context)


def future(context: gk.Context) -> gk.Future[Any]:
    return gk.Promise[Any](context=context).future


def public_functions() -> Iterator[Callable[..., Any]]:
    for name in gk.__all__:
        found = getattr(gk, name)
        if inspect.isfunction(found):
            yield found
        if not inspect.isclass(found):
            continue
        for inner in dir(found):
            method = inspect.getattr_static(found, inner)
            method = getattr(method, "__func__", method)
            is_public = not inner.startswith("_") or inner == "__init__"
            if is_public and inspect.isfunction(method):
                yield method


@pytest.mark.parametrize("place", REFUSED)
def test_what_cannot_be_called_is_refused_where_it_is_handed_over(place: str) -> None:
    context = gk.Context("sim:laptop&clock=manual", loop="manual")
    with context, pytest.raises(TypeError):
        REFUSED[place](context)


def test_the_table_has_every_function_a_user_can_hand_over() -> None:
    found = {
        f"{function.__qualname__} {parameter.name}"
        for function in public_functions()
        for parameter in inspect.signature(function).parameters.values()
        if str(parameter.annotation).startswith(FUNCTIONS)
    }
    assert found == set(REFUSED)


def test_a_verb_or_a_patch_that_is_no_function_is_refused() -> None:
    class Verbs:
        get = "no function"

    with gk.Context("sim:empty", loop="manual") as context, pytest.raises(gk.TypeMismatchError):
        gk.DataSource.custom(Verbs(), context=context)
    with pytest.raises(gk.TypeMismatchError):
        gk.patch_type("of no function")(NO_FUNCTION)
    assert "of no function" not in {known.type for known in gk.patch_types()}
