"""Runs that are stopped, changed, shared, and gone on with."""

import contextlib
import threading
from dataclasses import replace

import pytest
from toys import Accuracy, FitSeconds, Rows, Toy, experiment

from treeforge.errors import ParameterError, PluginError
from treeforge.experiment.runner import run
from treeforge.experiment.schedule import plan
from treeforge.experiment.store import ResultStore


def complete(exp, folder, **options):
    """Run it all; the events."""
    with ResultStore(folder) as store:
        return list(run(exp, store, **options))


def computed(events):
    return [
        (e.result.dataset, e.result.algorithm, e.result.repeat, e.result.fold)
        for e in events
        if e.kind == "cell"
    ]


def stable(folder):
    with ResultStore(folder) as store:
        return {r.key: r.stable() for r in store.results()}


def table(folder):
    """results.csv without the columns of time."""
    lines = (folder / "results.csv").read_text().splitlines()
    return [line.rsplit(",", 1)[0] for line in lines]


def test_second_run_computes_nothing(tmp_path):
    first = complete(experiment(), tmp_path)
    assert [e.kind for e in first] == ["start", *["cell"] * 20, "end"]
    assert (first[0].done, first[0].total) == (0, 20)
    assert (first[-1].done, first[-1].total, first[-1].seconds_left) == (20, 20, 0.0)
    before = (tmp_path / "results.csv").read_bytes()
    second = complete(experiment(), tmp_path)
    assert computed(second) == []
    assert second[0].done == 20
    assert (tmp_path / "results.csv").read_bytes() == before


def test_table_is_in_the_order_of_the_experiment(tmp_path):
    complete(experiment({"z": Toy(), "a": Toy(smoothing=2.0)}), tmp_path, workers=3)
    rows = [line.split(",")[:4] for line in table(tmp_path)[1:]]
    assert rows == [[f"d{d}", a, "0", str(f)] for d in range(2) for a in ("z", "a") for f in range(5)]


def test_what_was_added_is_all_that_is_computed(tmp_path):
    complete(experiment(), tmp_path)
    more = experiment({"one": Toy(), "two": Toy(smoothing=2.0), "three": Toy(smoothing=3.0)})
    assert {a for _, a, _, _ in computed(complete(more, tmp_path))} == {"three"}
    more = experiment(datasets=3)
    assert {d for d, *_ in computed(complete(more, tmp_path))} == {"d2"}
    more = experiment(repeats=2)
    assert {r for _, _, r, _ in computed(complete(more, tmp_path))} == {1}
    changed = experiment({"one": Toy(), "two": Toy(smoothing=2.5)})
    events = complete(changed, tmp_path)
    assert {a for _, a, _, _ in computed(events)} == {"two"}
    assert len(table(tmp_path)) == 21


def test_renamed_algorithm_is_not_computed_again(tmp_path):
    complete(experiment(), tmp_path)
    renamed = experiment({"uno": Toy(), "two": Toy(smoothing=2.0)})
    assert computed(complete(renamed, tmp_path)) == []
    assert {line.split(",")[1] for line in table(tmp_path)[1:]} == {"uno", "two"}
    assert computed(complete(experiment(), tmp_path)) == []


def test_metric_that_the_record_suffices_for_costs_nothing(tmp_path):
    complete(experiment(metrics={}), tmp_path / "later")
    assert computed(complete(experiment(), tmp_path / "later")) == []
    complete(experiment(), tmp_path / "at_once")
    assert stable(tmp_path / "later") == stable(tmp_path / "at_once")
    assert len(computed(complete(experiment(metrics={"rows": Rows()}), tmp_path / "later"))) == 20
    doubled = experiment(metrics={"accuracy": Accuracy(scale=2.0)})
    assert computed(complete(doubled, tmp_path / "at_once")) == []
    with ResultStore(tmp_path / "at_once") as store:
        assert max(r.metrics["accuracy"] for r in store.results()) > 0.5


def test_fresh_computes_all_anew(tmp_path):
    complete(experiment(), tmp_path)
    assert len(computed(complete(experiment(), tmp_path, fresh=True))) == 20


def test_selected_cells_alone_are_computed_but_the_table_has_all(tmp_path):
    only = complete(experiment(), tmp_path, select=lambda cell: cell.algorithm == "two")
    assert {a for _, a, _, _ in computed(only)} == {"two"}
    assert only[-1].total == 10
    rest = complete(experiment(), tmp_path, select=lambda cell: cell.algorithm == "one")
    assert rest[-1].done == 20
    assert len(table(tmp_path)) == 21


def test_failure_is_a_row_with_its_reason_and_is_tried_again_only_on_request(tmp_path):
    bad = {"good": Toy(), "bad": Toy("raise")}
    events = complete(experiment(bad), tmp_path)
    assert events[-1].failed == 10
    assert table(tmp_path)[6] == "d0,bad,0,0,failed,ValueError: a plugin's own mistake,"
    events = complete(experiment(bad), tmp_path)
    assert computed(events) == []
    assert events[0].text == "10 cells failed before and will not be tried again without --retry-failed"
    assert events[-1].failed == 10
    assert {a for _, a, _, _ in computed(complete(experiment(bad), tmp_path, retry_failed=True))} == {"bad"}


def test_run_that_is_left_early_keeps_what_it_has(tmp_path):
    with ResultStore(tmp_path) as store, contextlib.closing(run(experiment(), store, workers=2)) as events:
        for event in events:
            if event.done == 7:
                break
    assert len(table(tmp_path)) == 8
    rest = complete(experiment(), tmp_path)
    assert 11 <= len(computed(rest)) <= 13
    complete(experiment(), tmp_path / "undisturbed")
    assert stable(tmp_path) == stable(tmp_path / "undisturbed")


def test_damaged_record_is_told_and_computed_again(tmp_path):
    complete(experiment(), tmp_path)
    victim = sorted(tmp_path.rglob("cells/*/*.json"))[3]
    victim.write_bytes(victim.read_bytes()[:50])
    events = complete(experiment(), tmp_path)
    (warning,) = [e for e in events if e.kind == "warning"]
    assert warning.text == f"{victim}: half-written or altered; computed again"
    assert len(computed(events)) == 1


def test_two_runs_on_one_folder_share_the_work(tmp_path):
    exp = experiment()
    with ResultStore(tmp_path) as one, ResultStore(tmp_path) as two:
        first, second = run(exp, one), run(exp, two)
        found = {"first": [], "second": []}
        for events in zip(first, second, strict=False):
            for name, event in zip(found, events, strict=True):
                if event.result:
                    found[name].append(event.result.key)
                    one.flush(), two.flush()
        list(first), list(second)
    keys = [cell.key for cell in exp.cells]
    # each tells of all cells, its own first: forwards and backwards
    assert found["first"][:10] == keys[:10]
    assert found["second"][:10] == keys[:9:-1]
    assert len(table(tmp_path)) == 21


def test_plan_says_what_is_missing_and_how_long_it_takes(tmp_path):
    exp = experiment({"one": Toy(seconds=0.01), "two": Toy(smoothing=2.0)})
    nothing = plan(exp.cells, None)
    assert (nothing.n_done, len(nothing.missing), nothing.seconds) == (0, 20, None)
    complete(exp, tmp_path, select=lambda cell: cell.split.fold < 3)
    with ResultStore(tmp_path) as store:
        before = stable_files(tmp_path)
        found = plan(exp.cells, store, workers=2)
        assert stable_files(tmp_path) == before
    assert found.n_done == 12
    assert found.by_pair() == {"d0": {"one": 2, "two": 2}, "d1": {"one": 2, "two": 2}}
    assert 0.02 <= found.seconds < 0.2
    assert found.to_dict()["missing"] == 8


def stable_files(folder):
    return {p: p.stat().st_mtime_ns for p in folder.rglob("*.json")}


def test_event_is_one_json_object(tmp_path):
    events = complete(experiment(datasets=1), tmp_path)
    facts = [e.to_dict() for e in events]
    assert facts[1]["event"] == "cell"
    assert facts[1]["status"] == "ok"
    assert set(facts[1]["metrics"]) == {"accuracy"}
    assert facts[-1] == {"event": "end", "done": 10, "failed": 0, "total": 10, "seconds_left": 0.0}


def test_things_that_cannot_be_run(tmp_path):
    with pytest.raises(
        ParameterError, match=r"no engine 'gpu' \(engines: threads, processes, dask:ADDRESS\)"
    ):
        complete(experiment(), tmp_path, engine="gpu")
    with pytest.raises(ParameterError, match="threads cannot be stopped"):
        complete(experiment(), tmp_path, engine="threads", time_limit=1.0)
    with pytest.raises(ParameterError, match="workers must be at least 1"):
        complete(experiment(), tmp_path, workers=0)


def test_learner_that_cannot_travel_stops_the_run_before_it_starts(tmp_path):
    """Case E03."""
    tied = replace(Toy(releases_gil=False), trouble=threading.Lock())
    exp = experiment({"tied": tied})
    object.__setattr__(tied, "spec", lambda: {"toy": "tied"})
    with pytest.raises(
        PluginError, match=r"algorithm 'tied' cannot be sent to a worker process .*: define it at"
    ):
        complete(exp, tmp_path, workers=2)
    assert complete(exp, tmp_path)[-1].failed == 0


def test_local_class_and_lambda_travel_or_stay(tmp_path):
    """Case E03."""

    class Local(FitSeconds):
        needs_predictions = True
        reproducible = True

        def value(self, outcome):
            return (lambda: len(outcome["predicted"]))()

    exp = experiment({"slow": Toy(releases_gil=False)}, metrics={"local": Local()}, datasets=1)
    for workers in (1, 2):
        complete(exp, tmp_path / str(workers), workers=workers)
    assert stable(tmp_path / "1") == stable(tmp_path / "2")
