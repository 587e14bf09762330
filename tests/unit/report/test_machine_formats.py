"""The formats machines read: valid by their schemas, right columns, no leg lost, stable keys."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from inplace_lint.diagnostic import Diagnostic, Span
from inplace_lint.report import registry
from inplace_lint.report.base import Run
from inplace_lint.report.keys import fingerprints
from tests.unit.report import samples

SCHEMAS = Path(__file__).parent / "schemas"
SAMPLES = (samples.awkward(), samples.simple())


def rendered(name: str, *findings: Diagnostic, errors=samples.ERRORS) -> str:
    return registry.find(name).render(samples.run(*findings, errors=errors), False)


@pytest.mark.parametrize("name", registry.names())
def test_every_format_names_every_leg(name):
    text = rendered(name, *SAMPLES)
    if name == "concise":
        return  # one line a finding, by contract
    for found in SAMPLES:
        for leg in found.legs:
            words = leg.message.split("<")[0].rstrip()
            assert words in text, (name, words)
            assert str(leg.span.line) in text


@pytest.mark.parametrize("name", registry.names())
def test_every_format_renders_nothing_as_nothing_wrong(name):
    text = rendered(name, errors=())
    assert "IPA" not in text


@pytest.mark.parametrize("name", registry.names())
def test_formats_are_ascii_or_utf8(name):
    odd = replace(samples.simple(), message="surrogate \udcff")
    rendered(name, odd).encode("utf-8", "backslashreplace")


def test_json_is_the_contract():
    whole = json.loads(rendered("json", *SAMPLES))
    assert whole["version"] == 1
    first, second = whole["findings"]
    assert second == {
        "path": "model.py",
        "line": 4,
        "column": 1,
        "end_line": 4,
        "end_column": 11,
        "code": "IPA101",
        "name": "saved-result-mutated",
        "kind": "saved-modified",
        "confidence": "certain",
        "message": "`y` is changed in place after exp() saved it for backward",
        "assumes": None,
        "legs": second["legs"],
        "help": "write `y = y.add(10)`",
        "fix": second["fix"],
    }
    assert second["legs"][0] == {
        "role": "saved",
        "path": "model.py",
        "line": 3,
        "column": 5,
        "end_line": 3,
        "end_column": 12,
        "message": "exp() saves its result",
    }
    assert second["fix"]["edits"][0]["text"] == "y = y.add(10)"
    assert first["assumes"] == "x requires grad"
    assert whole["errors"][1]["code"] == "IPA002"


def test_json_matches_its_published_schema():
    jsonschema = pytest.importorskip("jsonschema")
    schema = registry.findings_schema()
    jsonschema.Draft202012Validator.check_schema(schema)
    whole = json.loads(rendered("json", *SAMPLES))
    jsonschema.validate(whole, schema)
    del whole["findings"][0]["legs"][0]["role"]
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(whole, schema)


def test_json_lines_hold_the_same_objects():
    rows = [json.loads(line) for line in rendered("json-lines", *SAMPLES).splitlines()]
    whole = json.loads(rendered("json", *SAMPLES))
    assert [row.pop("type") for row in rows] == ["finding", "finding", "error", "error"]
    assert rows == whole["findings"] + whole["errors"]


# ---- SARIF -----------------------------------------------------------------------------------


def sarif() -> dict:
    return json.loads(rendered("sarif", *SAMPLES))


def test_sarif_is_valid():
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((SCHEMAS / "sarif-2.1.0-rtm.5.json").read_text())
    validator = jsonschema.validators.validator_for(schema)(schema)
    assert [error.message for error in validator.iter_errors(sarif())] == []


def test_sarif_keeps_githubs_rules():
    (run,) = sarif()["runs"]
    rules = run["tool"]["driver"]["rules"]
    for rule in rules:
        assert rule["help"]["markdown"] and rule["shortDescription"]["text"]
        assert len(rule["properties"]["tags"]) <= 10
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["locations"] and result["message"]["text"]
        assert result["partialFingerprints"]
        assert len(result.get("relatedLocations", [])) <= 1000
        for place in places(result):
            uri = place["artifactLocation"]["uri"]
            assert not uri.startswith(("/", "file:")) and re.fullmatch(r"[\w./%-]+", uri)
            assert all(number >= 1 for number in place["region"].values())
    assert run["automationDetails"]["id"].endswith("/")
    assert run["columnKind"] == "unicodeCodePoints"
    levels = [result["level"] for result in run["results"]]
    assert levels == sorted(levels)
    keys = [result["partialFingerprints"]["inplaceLint/v1"] for result in run["results"]]
    assert len(set(keys)) == len(keys)


def places(result: dict) -> list[dict]:
    flow = result.get("codeFlows", [{"threadFlows": [{"locations": []}]}])[0]
    steps = [step["location"] for step in flow["threadFlows"][0]["locations"]]
    every = [*result["locations"], *result.get("relatedLocations", []), *steps]
    return [place["physicalLocation"] for place in every]


def test_sarif_tells_the_story():
    results = {result["ruleId"]: result for result in sarif()["runs"][0]["results"]}
    simple = results["IPA101"]
    flow = simple["codeFlows"][0]["threadFlows"][0]["locations"]
    assert [step["kinds"] for step in flow] == [["saved"], ["mutated"], ["used"]]
    assert all(each["message"]["text"] for each in simple["relatedLocations"])
    assert "[exp() saves its result](1)" in simple["message"]["text"]
    assert simple["fixes"][0]["artifactChanges"][0]["replacements"]
    region = results["IPA102"]["locations"][0]["physicalLocation"]["region"]
    assert (region["startLine"], region["startColumn"], region["endColumn"]) == (6, 11, 20)


def test_sarif_notes_what_was_not_analysed():
    run = sarif()["runs"][0]
    (told,) = run["invocations"][0]["toolExecutionNotifications"]
    assert told["descriptor"]["id"] == "IPA002"
    assert "IPA001" in {result["ruleId"] for result in run["results"]}


# ---- the others ------------------------------------------------------------------------------


def test_github_escapes_and_names_the_place():
    lines = rendered("github", *SAMPLES, errors=()).splitlines()
    place = "file=model.py,line=4,endLine=4,col=1,endColumn=11"
    assert lines[0].startswith(f"::error {place},title=IPA101 saved-result-mutated::")
    assert lines[1].startswith("::warning file=dir/odd name%2C%3A%25.py,line=6,")
    assert "%0Asaved here (model.py:3:5): exp() saves its result%0A" in lines[0]
    assert len(lines) == 2


def test_github_stays_within_ten_a_level():
    many = [replace(samples.simple(), span=Span("model.py", n, 1, n, 2)) for n in range(1, 31)]
    lines = rendered("github", *many).splitlines()
    assert sum(line.startswith("::error ") for line in lines) == 9
    assert sum(line.startswith("::notice ") for line in lines) == 1
    assert sum(line.startswith("- model.py:") for line in lines) == 30 - 8
    assert not any(line.startswith("::") for line in lines[11:])


def test_github_step_summary():
    report = registry.find("github")
    assert report.aside is not None
    variable, summary = report.aside
    assert variable == "GITHUB_STEP_SUMMARY"
    text = summary(samples.run(*SAMPLES, errors=samples.ERRORS))
    assert "&lt;here&gt; &amp;" in text
    assert text.count("\n| ") == 5


def test_gitlab():
    rows = json.loads(rendered("gitlab", *SAMPLES))
    assert len({row["fingerprint"] for row in rows}) == len(rows) == 4
    for row in rows:
        assert {"description", "check_name", "fingerprint", "severity", "location"} <= set(row)
        assert row["severity"] in {"info", "minor", "major", "critical", "blocker"}
        assert row["location"]["lines"]["begin"] >= 1
        assert not row["location"]["path"].startswith(("/", "./"))


def test_fingerprints_survive_shifted_lines_and_tell_twins_apart():
    def keys(text: str) -> list[str]:
        lines = text.split("\n")
        found = [
            replace(samples.simple(), span=Span("model.py", n, 1, n, 11))
            for n, line in enumerate(lines, 1)
            if "add_" in line
        ]
        return fingerprints(Run(tuple(found), (), lambda _: lines, 1))

    once = keys("y.add_(10)\n")
    assert keys("import torch\n\n    y.add_(10)\n") == once
    twins = keys("y.add_(10)\ny.add_(10)\n")
    assert twins[0] == once[0] and twins[0] != twins[1]
    assert keys("y.add_(11)\n") != once


def test_rdjson_columns_are_bytes():
    rows = json.loads(rendered("rdjson", *SAMPLES, errors=()))["diagnostics"]
    line = samples.TEXTS["dir/odd name,:%.py"].split("\n")[5].encode()
    start = rows[0]["location"]["range"]["start"]["column"]
    end = rows[0]["location"]["range"]["end"]["column"]
    assert line[start - 1 : end - 1] == b"w.add_(1)"
    assert rows[1]["suggestions"][0]["text"] == "y = y.add(10)"


@pytest.mark.parametrize("name", ["junit", "checkstyle"])
def test_xml_is_well_formed_and_loses_no_text(name):
    root = ElementTree.fromstring(rendered(name, *SAMPLES))
    text = ElementTree.tostring(root, encoding="unicode")
    assert "&lt;here&gt; &amp;" in text
    assert "\x1b" not in text


def test_junit_counts():
    suite = ElementTree.fromstring(rendered("junit", *SAMPLES)).find("testsuite")
    assert suite is not None
    counts = {name: suite.get(name) for name in ("tests", "failures", "errors", "skipped")}
    assert counts == {"tests": "4", "failures": "2", "errors": "1", "skipped": "1"}
    assert len(suite.findall("testcase/failure")) == 2
    passed = ElementTree.fromstring(rendered("junit", errors=())).find("testsuite")
    assert passed is not None and passed.get("failures") == "0" and len(passed) == 1


def test_checkstyle_places():
    root = ElementTree.fromstring(rendered("checkstyle", *SAMPLES))
    rows = {
        (file.get("name"), error.get("line"), error.get("column"), error.get("severity"))
        for file in root
        for error in file
    }
    assert ("model.py", "4", "1", "error") in rows
    assert ("dir/odd name,:%.py", "6", "11", "warning") in rows
