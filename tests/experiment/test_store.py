"""Results on disk."""

import errno
import multiprocessing
import os
import subprocess
import sys
from dataclasses import replace

import pytest
from toys import Toy, experiment, table

from treeforge.errors import ResultError
from treeforge.experiment import commit
from treeforge.experiment.cell import run_cell
from treeforge.experiment.experiment import Experiment, Task
from treeforge.experiment.folds import CrossValidation
from treeforge.experiment.runner import run
from treeforge.experiment.store import ResultStore


@pytest.fixture(scope="module")
def results():
    return [run_cell(cell) for cell in experiment(repeats=2).cells]


def files(folder):
    return sorted(p for p in folder.rglob("*") if p.is_file())


def test_results_are_found_again(tmp_path, results):
    with ResultStore(tmp_path / "a" / "run") as store:
        for result in results:
            store.append(result)
    with ResultStore(tmp_path / "a" / "run") as store:
        assert store.alone
        assert not store.broken
        assert {r.key: r for r in store.results()} == {r.key: r for r in results}
        assert store.get(results[0].key) == results[0]
        assert store.get("nothing") is None
    assert not list(tmp_path.rglob("*.part"))


def test_no_record_shares_a_file_and_none_leaves_the_folder(tmp_path):
    """Case E04."""
    names = ["a/b", "c:d", "..", "e*?", "f|g", "n" * 300, "dot.", " ", "🌲", "a_b"]
    data = table()
    found = Experiment(
        tuple(Task(name, data) for name in names),
        {name: Toy() for name in names},
        CrossValidation(2),
        metrics={},
    )
    inside = tmp_path / "inside"
    with ResultStore(inside) as store:
        for cell in found.cells:
            store.append(run_cell(cell))
        store.write_table(store.results(), [])
    with ResultStore(inside) as store:
        assert len(store) == len(found.cells) == 200
        assert {(r.dataset, r.algorithm) for r in store.results()} == {(a, b) for a in names for b in names}
    assert os.listdir(tmp_path) == ["inside"]


@pytest.mark.parametrize("harm", ["half", "empty", "flip", "other"])
def test_damaged_record_is_reported_and_replaced(tmp_path, results, harm):
    """Case E02."""
    with ResultStore(tmp_path) as store:
        for result in results[:3]:
            store.append(result)
    path = tmp_path / "cells" / results[0].key[:2] / f"{results[0].key}.json"
    data = path.read_bytes()
    other = next(tmp_path.rglob(f"{results[1].key}.json")).read_bytes()
    path.write_bytes(
        {"half": data[: len(data) // 2], "empty": b"", "flip": data.replace(b"0.", b"1."), "other": other}[
            harm
        ]
    )
    with ResultStore(tmp_path) as store:
        assert [broken.path for broken in store.broken] == [path]
        assert store.get(results[0].key) is None
        assert len(store) == 2
        store.append(results[0])
    with ResultStore(tmp_path) as store:
        assert not store.broken
        assert len(store) == 3


def test_parts_of_a_killed_run_are_taken_up_when_whole(tmp_path, results):
    with ResultStore(tmp_path) as store:
        store.append(results[0])
    shard = tmp_path / "cells" / results[1].key[:2]
    shard.mkdir(exist_ok=True)
    (shard / f".{results[1].key}.99-0.part").write_bytes(results[1].encode())
    (shard / f".{results[2].key}.99-1.part").write_bytes(results[2].encode()[:100])
    with ResultStore(tmp_path) as store:
        assert {r.key for r in store.results()} == {results[0].key, results[1].key}
        assert not store.broken
    assert not list(tmp_path.rglob("*.part"))


def test_second_run_sees_that_it_is_not_alone_and_what_the_first_one_adds(tmp_path, results):
    with ResultStore(tmp_path) as first, ResultStore(tmp_path) as second:
        assert first.alone
        assert not second.alone
        first.append(results[0])
        first.flush()
        assert second.get(results[0].key) is None
        assert second.look(results[0].key) == results[0]
        second.append(results[1])
        second.flush()
        first.refresh()
        assert len(first) == 2


def test_lock_that_lasts_too_long_is_an_error(tmp_path):
    fcntl = pytest.importorskip("fcntl")
    ResultStore(tmp_path).close()
    with open(tmp_path / ".lock") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        with pytest.raises(ResultError, match="another run has kept this folder locked"):
            ResultStore(tmp_path, wait=0.1)


def _write_many(folder, number):
    result = run_cell(experiment(datasets=1, folds=2, metrics={}).cells[0])
    with ResultStore(folder) as store:
        for i in range(200):
            key = f"{number:02x}{i:062x}"
            store.append(replace(result, key=key, content=key, fold=i, repeat=number))


def test_eight_processes_write_at_the_same_time(tmp_path):
    """Case E01."""
    context = multiprocessing.get_context(
        "fork" if "fork" in multiprocessing.get_all_start_methods() else None
    )
    processes = [context.Process(target=_write_many, args=(tmp_path, i)) for i in range(8)]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
        assert process.exitcode == 0
    with ResultStore(tmp_path) as store:
        assert len(store) == 1600
        assert {(r.repeat, r.fold) for r in store.results()} == {(p, i) for p in range(8) for i in range(200)}
        assert not store.broken
        table = store.write_table(store.results(), ["accuracy"])
    assert len(table.read_text().splitlines()) == 1601


@pytest.mark.parametrize("call", ["write", "sync", "replace"])
def test_full_disk_is_one_sentence_and_harms_nothing(tmp_path, results, monkeypatch, call):
    store = ResultStore(tmp_path)
    for result in results[:5]:
        store.append(result)
    store.flush()

    def full(*arguments):
        raise OSError(errno.ENOSPC, "No space left on device")

    if call == "sync":
        monkeypatch.setattr(commit, "sync_filesystem", full)
    else:
        monkeypatch.setattr(os, call, full)

    def add():
        store.append(results[5])
        store.flush()

    with pytest.raises(ResultError, match="cannot be written: the disk is full; what was written before"):
        add()
    monkeypatch.undo()
    store.append(results[6])
    store.close()
    with ResultStore(tmp_path) as store:
        assert {r.key for r in results[:5]} | {results[6].key} <= {r.key for r in store.results()}
        assert not store.broken


@pytest.fixture
def small_disk(tmp_path):
    """A file system of 200 KiB, where one may be made."""
    mounted = tmp_path / "disk"
    mounted.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=200k", "tmpfs", str(mounted)]
    if sys.platform != "linux" or subprocess.run(command, capture_output=True, check=False).returncode:
        pytest.skip("no file system can be made here")
    yield mounted
    subprocess.run(["umount", "-l", str(mounted)], check=True)


def test_run_on_a_disk_that_fills_up_stops_and_goes_on_when_there_is_room(small_disk, tmp_path):
    exp = experiment(repeats=10)
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * 100_000)

    def attempt():
        with ResultStore(small_disk / "run") as store:
            return [event.result.key for event in run(exp, store) if event.result]

    with pytest.raises(ResultError, match="the disk is full"):
        attempt()
    with ResultStore(small_disk / "run") as store:
        kept = {r.key: r.stable() for r in store.results()}
        assert not store.broken
    assert 3 < len(kept) < 200
    with pytest.raises(ResultError, match="the disk is full"):
        attempt()
    ballast.unlink()
    subprocess.run(["mount", "-o", "remount,size=4m", str(small_disk)], check=True)
    again = attempt()
    assert len(again) <= 200 - len(kept)
    with ResultStore(tmp_path / "roomy") as store:
        list(run(exp, store))
        expected = {r.key: r.stable() for r in store.results()}
    with ResultStore(small_disk / "run") as store:
        assert {r.key: r.stable() for r in store.results()} == expected


def test_files_last_also_where_a_file_system_cannot_be_synced_whole(tmp_path, results, monkeypatch):
    monkeypatch.setattr(commit, "sync_filesystem", lambda folder: False)
    with ResultStore(tmp_path) as store:
        for result in results:
            store.append(result)
        store.flush()
        assert len(list(tmp_path.rglob("cells/*/*.json"))) == len(results)


def test_record_is_on_disk_before_it_has_its_name(tmp_path, results, monkeypatch):
    synced = []
    monkeypatch.setattr(
        commit,
        "sync_filesystem",
        lambda folder: synced.append([p.name[0] for p in folder.rglob("cells/*/*")]) or True,
    )
    with ResultStore(tmp_path) as store:
        store.append(results[0])
    assert synced[0] == ["."]
    assert synced[-1] == [results[0].key[0]]


def test_write_that_is_cut_short_goes_on(tmp_path, results, monkeypatch):
    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: write(fd, bytes(data[:1000])))
    with ResultStore(tmp_path) as store:
        store.append(results[0])
    monkeypatch.undo()
    with ResultStore(tmp_path) as store:
        assert store.get(results[0].key) == results[0]


def test_cells_begun_by_a_run_that_died_are_suspects(tmp_path, results):
    store = ResultStore(tmp_path)
    for result in results[:3]:
        store.begin(result.key)
    store.append(results[0])
    store.flush()
    store._lock.close()  # what the kernel does when a process dies
    for _ in range(2):  # looking at a folder does not forget them
        with ResultStore(tmp_path) as again:
            assert again.suspects == {results[1].key, results[2].key}
            again.begin(results[1].key)
    with ResultStore(tmp_path) as again:
        again.append(results[1])
        again.append(results[2])
    assert not list(tmp_path.glob("running/*"))
    with ResultStore(tmp_path) as last:
        assert not last.suspects


def test_table_has_a_row_a_cell_and_leaves_undefined_empty(tmp_path, results):
    bad = run_cell(experiment({"bad": Toy("raise")}).cells[0])
    odd = replace(results[1], dataset='a,"b"\nc', metrics={"accuracy": None})
    with ResultStore(tmp_path) as store:
        store.write_table([results[0], bad, odd], ["accuracy"])
    text = (tmp_path / "results.csv").read_text()
    lines = text.splitlines()
    assert lines[0] == "dataset,algorithm,repeat,fold,status,reason,accuracy"
    assert lines[1] == f"d0,one,0,0,ok,,{results[0].metrics['accuracy']!r}"
    assert lines[2] == "d0,bad,0,0,failed,ValueError: a plugin's own mistake,"
    assert '"a,""b""\nc",one,0,1,ok,,\n' in text


def test_folder_that_cannot_be_made_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ResultError, match="cannot be used for results"):
        ResultStore(tmp_path / "file" / "run")


def test_cleared_results_are_gone_from_disk(tmp_path, results):
    with ResultStore(tmp_path) as store:
        for result in results[:4]:
            store.append(result)
        store.clear([results[0].key, "unknown"])
        assert store.same_content(results[0].content) is None
    with ResultStore(tmp_path) as store:
        assert len(store) == 3
