"""
Makes the sheets of other programs: /usr/bin/python3 test/support/programs/make-other-sheets.py. They are checked in; making
them again needs openpyxl, xlsxwriter, LibreOffice and Gnumeric. People and numbers are invented.
"""
import datetime
import pathlib
import shutil
import subprocess
import tempfile

import openpyxl
import xlsxwriter
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.styles import Font
from openpyxl.utils.datetime import CALENDAR_MAC_1904
from openpyxl.worksheet.datavalidation import DataValidation

OUT = pathlib.Path(__file__).parent.parent.parent / "fixtures" / "sheets" / "others"
HEADINGS = ["Staff No", "Employee Name", "Mobile No.", "Net Pay"]
PEOPLE = [
    ["KB01", "Jane Wanjiku", "0712345678", 1500.5],
    ["KB02", "Wanjikũ Otieno", "0722100200", 2500],
    ["KB03", "Ann \"Mama\" Atieno; HQ", "0110123456", 99.99],
]


def plain(rows=PEOPLE, headings=HEADINGS):
    book = openpyxl.Workbook()
    book.active.title = "November"
    for row in [headings, *rows]:
        book.active.append(row)
    return book


def with_openpyxl():
    plain().save(OUT / "openpyxl-plain.xlsx")
    book = plain([[a, b, int(c), d] for a, b, c, d in PEOPLE])
    book.active.append(["TOTAL", None, None, 4100.49])
    book.save(OUT / "openpyxl-lost-zeros.xlsx")
    book = plain()
    book.active.append(["KB04", "Peter Otieno", "0733444555", "=D2*2"])
    book.save(OUT / "openpyxl-formula-without-value.xlsx")
    book = plain()
    sheet = book.active
    sheet.insert_rows(1, 2)
    sheet["A1"] = "Kilimo Bora Ltd"
    sheet["A1"].font = Font(bold=True, size=14)
    sheet.merge_cells("A1:D1")
    sheet["A3"].comment = Comment("From the payroll system", "HR")
    rule = DataValidation(type="decimal", operator="greaterThan", formula1="0")
    rule.add("D4:D1048576")
    sheet.add_data_validation(rule)
    sheet.freeze_panes = "A4"
    sheet.auto_filter.ref = "A3:D6"
    chart = BarChart()
    chart.add_data(Reference(sheet, min_col=4, min_row=3, max_row=6), titles_from_data=True)
    sheet.add_chart(chart, "F2")
    book.save(OUT / "openpyxl-chart-note-title.xlsx")
    book = plain()
    book.epoch = CALENDAR_MAC_1904
    book.active["D3"] = datetime.date(2026, 11, 1)
    book.save(OUT / "openpyxl-date-1904.xlsx")
    book = plain()
    book.active.merge_cells("D2:D3")
    book.save(OUT / "openpyxl-merged-amount.xlsx")
    book = plain()
    book.create_sheet("Casuals").append(HEADINGS)
    book["Casuals"].append(["C1", "Musa", "0733444555", 10])
    book.create_sheet("Old").append(["x"])
    book["Old"].sheet_state = "hidden"
    book.save(OUT / "openpyxl-two-worksheets.xlsx")


def with_xlsxwriter():
    def book(name, **options):
        made = xlsxwriter.Workbook(OUT / name, {"strings_to_formulas": False, **options})
        return made, made.add_worksheet("Payouts")

    made, sheet = book("xlsxwriter-table.xlsx")
    sheet.add_table(0, 0, 3, 3, {"columns": [{"header": h} for h in HEADINGS], "data": PEOPLE})
    made.close()
    made, sheet = book("xlsxwriter-inline-texts.xlsx", constant_memory=True)
    for number, row in enumerate([HEADINGS, *PEOPLE]):
        sheet.write_row(number, 0, row)
    made.close()
    made, sheet = book("xlsxwriter-rich-texts.xlsx")
    for number, row in enumerate([HEADINGS, *PEOPLE]):
        sheet.write_row(number, 0, row)
    bold = made.add_format({"bold": True})
    sheet.write_rich_string(1, 1, "Jane ", bold, "Wanjiku", " (HQ)")
    sheet.write_rich_string(1, 2, "0712", bold, "345", "678")
    made.close()
    made, sheet = book("xlsxwriter-formulas-and-total.xlsx")
    for number, row in enumerate([HEADINGS, *PEOPLE]):
        sheet.write_row(number, 0, row)
    sheet.write_formula(2, 3, "=5000/2", None, 2500)
    sheet.write(4, 0, "TOTAL")
    sheet.write_formula(4, 3, "=SUM(D2:D4)", None, 4100.49)
    made.close()
    made, sheet = book("xlsxwriter-filtered-row.xlsx")
    for number, row in enumerate([HEADINGS, *PEOPLE]):
        sheet.write_row(number, 0, row)
    sheet.autofilter(0, 0, 3, 3)
    sheet.filter_column(0, "x != KB02")
    sheet.set_row(2, None, None, {"hidden": True})
    made.close()
    made, sheet = book("xlsxwriter-errors.xlsx")
    for number, row in enumerate([HEADINGS, *PEOPLE]):
        sheet.write_row(number, 0, row)
    sheet.write_formula(1, 3, "=NA()", None, "#N/A")
    sheet.write_formula(2, 1, "=1/0", None, "#DIV/0!")
    sheet.write_boolean(3, 3, True)
    made.close()
    made, sheet = book("xlsxwriter-dates-and-long-numbers.xlsx")
    sheet.write_row(0, 0, ["Name", "Paybill number", "Account number", "Amount"])
    day = made.add_format({"num_format": "dd mmm yyyy"})
    sheet.write_row(1, 0, ["Nairobi Water", "400200", "0012345678", 10])
    sheet.write_row(2, 0, ["Kenya Power", 888880, 12345678901234567890, 20])
    sheet.write_row(3, 0, ["Taa Fibre", "247247", "ACC 55120"])
    sheet.write_datetime(3, 3, datetime.datetime(2026, 11, 1), day)
    made.close()
    made, sheet = book("xlsxwriter-escaped-text.xlsx")
    sheet.write_row(0, 0, HEADINGS)
    sheet.write_row(1, 0, ["_x0041_1", "=Jane & <Ali>\u2028", "0712345678", 1])
    sheet.write_row(2, 0, ["+E2", "-Ali", "0722100200", 2])
    made.close()


def convert(source, target, *how):
    with tempfile.TemporaryDirectory() as folder:
        profile = f"-env:UserInstallation=file://{folder}/profile"
        command = ["soffice", profile, "--headless", "--convert-to", *how, "--outdir", folder, str(source)]
        subprocess.run(command, check=True, capture_output=True, timeout=180)
        made = next(p for p in pathlib.Path(folder).iterdir() if p.is_file() and p.stem == source.stem)
        shutil.copy(made, OUT / target)


def with_others():
    with tempfile.TemporaryDirectory() as folder:
        base = pathlib.Path(folder)
        text = base / "people.csv"
        text.write_text("Staff No,Employee Name,Mobile No.,Net Pay\n" + "".join(
            ",".join(str(v) if ";" not in str(v) else '"' + v.replace('"', '""') + '"' for v in row) + "\n"
            for row in PEOPLE), encoding="utf-8")
        book = base / "people.xlsx"
        plain().save(book)
        sums = base / "sums.xlsx"
        made = plain()
        made.active["D3"] = "=5000/2"
        made.active.append(["TOTAL", None, None, "=SUM(D2:D4)"])
        made.save(sums)
        convert(text, "libreoffice-from-csv.xlsx", "xlsx:Calc MS Excel 2007 XML", "--infilter=CSV:44,34,76,1")
        convert(sums, "libreoffice-calculated.xlsx", "xlsx:Calc MS Excel 2007 XML")
        convert(book, "libreoffice.ods", "ods")
        convert(book, "libreoffice.xls", "xls")
        convert(book, "libreoffice.fods", "fods")
        convert(book, "libreoffice-comma.csv", "csv:Text - txt - csv (StarCalc):44,34,76")
        convert(book, "libreoffice-semicolon-quoted.csv", "csv:Text - txt - csv (StarCalc):59,34,76,1,,0,true")
        convert(book, "libreoffice-tab-utf-16.csv", "csv:Text - txt - csv (StarCalc):9,34,65535")
        accents = base / "accents.xlsx"
        plain([["KB01", "José Otieno", "0712345678", 1500.5]]).save(accents)
        convert(accents, "libreoffice-windows-1252.csv", "csv:Text - txt - csv (StarCalc):59,34,1")
        convert(book, "libreoffice-web-page.xls", "html")
        for target, exporter in [
            ("gnumeric-from-csv.xlsx", "Gnumeric_Excel:xlsx"),
            ("gnumeric.gnumeric", "Gnumeric_XmlIO:sax"),
            ("gnumeric.xls", "Gnumeric_Excel:excel_biff8"),
            ("gnumeric.csv", "Gnumeric_stf:stf_csv"),
        ]:
            subprocess.run(["ssconvert", "-T", exporter, str(text), str(OUT / target)], check=True, capture_output=True)
        subprocess.run(["ssconvert", "-T", "Gnumeric_Excel:xlsx2", "--recalc", str(sums), str(OUT / "gnumeric-calculated.xlsx")],
                       check=True, capture_output=True)


OUT.mkdir(exist_ok=True)
with_openpyxl()
with_xlsxwriter()
with_others()
