"""Reads workbooks with openpyxl: one JSON line {path, worksheet?} in, one line with all cells out."""
import datetime
import json
import resource
import signal
import sys
import warnings

import openpyxl
from openpyxl.utils.datetime import CALENDAR_MAC_1904

warnings.simplefilter("ignore")
EPOCH = datetime.datetime(1970, 1, 1)


def milliseconds(span):
    return span / datetime.timedelta(milliseconds=1)


def plain(value, kind):
    if value is None:
        return ["empty", None]
    if kind == "e":
        return ["error", str(value)]
    if isinstance(value, bool):
        return ["boolean", value]
    if isinstance(value, (int, float)):
        return ["number", repr(value)]
    if isinstance(value, datetime.datetime):
        return ["date", milliseconds(value - EPOCH)]
    if isinstance(value, datetime.date):
        return ["date", milliseconds(datetime.datetime(value.year, value.month, value.day) - EPOCH)]
    if isinstance(value, datetime.time):
        return ["time", milliseconds(datetime.datetime.combine(datetime.date.min, value) - datetime.datetime.min)]
    if isinstance(value, datetime.timedelta):
        return ["time", milliseconds(value)]
    return ["text", str(value)]


def sheet_of(book, name):
    return book[name] if name else book.worksheets[0]


def read(job):
    path, name = job["path"], job.get("worksheet")
    book = openpyxl.load_workbook(path, data_only=True)
    sheet = sheet_of(book, name)
    # Only the cells that the file holds: a hostile range or a last cell far away must cost nothing.
    cells = {c.coordinate: plain(c.value, c.data_type) for c in list(sheet._cells.values()) if c.value is not None}
    seen = {"cells": cells, "merged": [str(r) for r in sheet.merged_cells.ranges]}
    seen["date1904"] = book.epoch == CALENDAR_MAC_1904
    seen["hidden"] = [n for n, d in sheet.row_dimensions.items() if d.hidden]
    if job.get("formulas"):
        raw = sheet_of(openpyxl.load_workbook(path), name)
        seen["formulas"] = [c.coordinate for c in raw._cells.values() if c.data_type == "f"]
    return seen


def give_up(*_):
    raise TimeoutError("no answer in time")


SECONDS_PER_FILE = 10
BYTES_OF_MEMORY = 2 * 1024**3
signal.signal(signal.SIGALRM, give_up)
resource.setrlimit(resource.RLIMIT_AS, (BYTES_OF_MEMORY, BYTES_OF_MEMORY))

for line in sys.stdin:
    signal.alarm(SECONDS_PER_FILE)
    try:
        answer = read(json.loads(line))
    except Exception as error:  # whatever it is, the file is one that this reader cannot open
        answer = {"failure": f"{type(error).__name__}: {error}"[:200]}
    signal.alarm(0)
    print(json.dumps(answer), flush=True)
