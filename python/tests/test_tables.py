"""The tables of other libraries, in and out."""

import pytest

import dupfind

from conftest import OTHER, PAGE, REVISED

ROWS = {"key": [1, 2, 3, 4], "body": [PAGE, OTHER, REVISED, None], "stars": [1, 2, 3, 4]}
pa = pytest.importorskip("pyarrow")


def polars():
    return pytest.importorskip("polars").DataFrame(ROWS)


def polars_categorical():
    pl = pytest.importorskip("polars")
    return pl.DataFrame(ROWS).with_columns(pl.col("body").cast(pl.Categorical))


def pandas():
    return pytest.importorskip("pandas").DataFrame(ROWS)


def pyarrow():
    return pa.table(ROWS)


def pyarrow_large():
    return pa.table(ROWS).cast(pa.schema([("key", pa.int64()), ("body", pa.large_string()), ("stars", pa.int64())]))


def pyarrow_dictionary():
    table = pa.table(ROWS)
    return table.set_column(1, "body", table["body"].dictionary_encode())


def pyarrow_reader():
    return pa.table(ROWS).to_reader(max_chunksize=1)


def datasets():
    return pytest.importorskip("datasets").Dataset.from_dict(ROWS)


def duckdb():
    rows = pa.table(ROWS)
    return pytest.importorskip("duckdb").from_arrow(rows)


SOURCES = [polars, polars_categorical, pandas, pyarrow, pyarrow_large, pyarrow_dictionary, pyarrow_reader, datasets, duckdb]


@pytest.mark.parametrize("source", SOURCES, ids=lambda source: source.__name__)
def test_tables_in(source):
    result = dupfind.scan(source(), text="body", id="key")
    [pair] = result.pairs
    assert (pair["row_a"], pair["row_b"], pair["a"], pair["b"]) == (0, 2, "1", "3")
    [skipped] = result.skipped
    assert (skipped["row"], skipped["id"], skipped["detail"]) == (3, "4", "null")


@pytest.mark.parametrize("source", [polars, pandas, pyarrow, datasets, duckdb], ids=lambda source: source.__name__)
def test_a_missing_column_names_those_that_are_there(source):
    with pytest.raises(dupfind.InputError, match="there is no column 'text': the columns are 'key', 'body', 'stars'"):
        dupfind.scan(source())
    with pytest.raises(dupfind.InputError, match="the column 'stars' is of type Int64, and not of text"):
        dupfind.scan(source(), text="stars")


def test_a_column_alone():
    pl = pytest.importorskip("polars")
    assert len(dupfind.scan(pl.Series(ROWS["body"]))) == 1
    array = dupfind.scan(pa.chunked_array([ROWS["body"]]))
    assert len(array) == 1
    # Its texts are read again to be shown.
    assert "<mark" in array._repr_html_()


def test_tables_without_rows():
    pl = pytest.importorskip("polars")
    assert len(dupfind.scan(pl.DataFrame({"text": []}, schema={"text": pl.String})).documents) == 0
    with pytest.raises(dupfind.InputError, match="there is no column 'text': the columns are 'body'"):
        dupfind.scan(pa.table({"body": pa.array([], pa.string())}))


def test_nothing_but_nulls():
    result = dupfind.scan(pa.table({"text": pa.nulls(3)}))
    assert len(result.skipped) == 3


def test_a_stream_that_raises():
    def batches():
        yield pa.record_batch({"text": [PAGE]})
        raise LookupError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(pa.schema([("text", pa.string())]), batches())
    with pytest.raises(dupfind.InputError, match="the disk is gone"):
        dupfind.scan(reader)


@pytest.mark.parametrize("source", [polars, pandas, pyarrow, datasets, duckdb], ids=lambda source: source.__name__)
def test_a_column_chooses_what_stays(source):
    result = dupfind.scan(source(), text="body", keep="field:stars", drop="near", min_similarity=0.5)
    assert result.selected_rows == [1, 2, 3]


def test_dates_choose_what_stays():
    import datetime as dt

    days = [dt.date(2026, 1, day) for day in (5, 6, 7, 8)]
    times = [dt.datetime(2026, 1, day, 12) for day in (5, 6, 7, 8)]
    table = pa.table({**ROWS, "day": days, "time": times, "sold": [True, True, False, True], "tags": [["a"]] * 4})
    for rule, kept in [("day", 2), ("day:min", 0), ("time", 2), ("key:min", 0), ("sold", 0)]:
        result = dupfind.scan(table, text="body", keep=f"field:{rule}", drop="near", min_similarity=0.5)
        assert result.selected_rows == sorted([kept, 1, 3]), rule
    with pytest.raises(dupfind.InputError, match="the column 'tags' is of type List.*, and not of text or numbers"):
        dupfind.scan(table, text="body", keep="field:tags", drop="near", min_similarity=0.5).selected_rows


def test_tables_out():
    pl, pd = pytest.importorskip("polars"), pytest.importorskip("pandas")
    result = dupfind.scan(polars(), text="body")
    frame = pl.DataFrame(result.pairs)
    assert frame["row_b"].to_list() == [2]
    assert frame.equals(result.pairs.to_polars())
    assert result.pairs.to_pandas()["row_b"].tolist() == [2]
    assert isinstance(result.pairs.to_pandas(), pd.DataFrame)
    assert pa.table(result.pairs) == result.pairs.to_pyarrow()
    assert result.pairs.to_pyarrow().to_pylist() == result.pairs.to_dicts()
    pairs = result.pairs
    duckdb_module = pytest.importorskip("duckdb")
    assert duckdb_module.sql("select count(*) from pairs").fetchall() == [(1,)]
    for table in [result.clusters, result.documents, result.skipped, result.selected, result.filtered, result.unresolved]:
        assert pl.DataFrame(table).height == len(table)


def test_clean_frames():
    datasets_module = pytest.importorskip("datasets")
    result = dupfind.scan(polars(), text="body", drop="near", min_similarity=0.5)
    kept = result.selected_rows
    assert polars()[kept]["key"].to_list() == [1, 2, 4]
    assert pandas().iloc[kept]["key"].tolist() == [1, 2, 4]
    assert pyarrow().take(kept)["key"].to_pylist() == [1, 2, 4]
    assert datasets_module.Dataset.from_dict(ROWS).select(kept)["key"][:] == [1, 2, 4]
