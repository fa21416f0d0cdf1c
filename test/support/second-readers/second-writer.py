"""Writes generated workbooks with openpyxl or xlsxwriter: one JSON line {path, program, ...} in, one answer out."""
import json
import sys

import openpyxl
import xlsxwriter
from openpyxl.utils.datetime import CALENDAR_MAC_1904


def number(digits):
    return int(digits) if digits.lstrip("-").isdigit() else float(digits)


def with_openpyxl(job):
    book = openpyxl.Workbook()
    if job["date1904"]:
        book.epoch = CALENDAR_MAC_1904
    sheet = book.active
    sheet.title = job["name"]
    for cell in job["cells"]:
        target = sheet.cell(cell["row"], cell["column"])
        kind, value = cell["kind"], cell["value"]
        if kind == "text":
            target.value = value
            target.data_type = "s"
        elif kind == "number":
            target.value = number(value)
        elif kind == "boolean":
            target.value = value
        elif kind == "error":
            target.value = value
        elif kind == "formula":
            target.value = "=" + value
        if cell.get("format"):
            target.number_format = cell["format"]
    for merged in job["merged"]:
        sheet.merge_cells(merged)
    for row in job["hidden"]:
        sheet.row_dimensions[row].hidden = True
    book.save(job["path"])


def with_xlsxwriter(job):
    options = {"date_1904": job["date1904"], "constant_memory": job["inline"]}
    options.update(strings_to_formulas=False, strings_to_numbers=False, strings_to_urls=False)
    book = xlsxwriter.Workbook(job["path"], options)
    sheet = book.add_worksheet(job["name"])
    for row in job["hidden"]:
        sheet.set_row(row - 1, None, None, {"hidden": True})
    for cell in job["cells"]:
        row, column, kind, value = cell["row"] - 1, cell["column"] - 1, cell["kind"], cell["value"]
        style = book.add_format({"num_format": cell["format"]}) if cell.get("format") else None
        if kind == "text":
            sheet.write_string(row, column, value, style)
        elif kind == "rich":
            bold = book.add_format({"bold": True})
            sheet.write_rich_string(row, column, value[0], bold, value[1], *value[2:])
        elif kind == "number":
            sheet.write_number(row, column, number(value), style)
        elif kind == "boolean":
            sheet.write_boolean(row, column, value, style)
        elif kind == "error":
            sheet.write_formula(row, column, "=NA()", style, value)
        elif kind == "formula":
            sheet.write_formula(row, column, "=" + value, style, cell["cached"])
    for merged in job["merged"]:
        first = next((c for c in job["cells"] if merged.startswith(c["address"] + ":")), None)
        if first and first["kind"] == "text":
            sheet.merge_range(merged, first["value"])
    book.close()


for line in sys.stdin:
    job = json.loads(line)
    try:
        (with_openpyxl if job["program"] == "openpyxl" else with_xlsxwriter)(job)
        answer = {}
    except Exception as error:  # a value that this program cannot write
        answer = {"failure": f"{type(error).__name__}: {error}"[:200]}
    print(json.dumps(answer), flush=True)
