"""The command line on PDF and Word files, with nothing faked."""

from __future__ import annotations

import json
from pathlib import Path

from tests.cli.test_whole import command
from tests.library.papers import paragraph, pdf, stream, word

KEEPER = "The lighthouse keeper of Ravenholm was Ada Thorne, who kept the lamp from 1871 to 1904."


def test_load_tells_of_each_file(tmp_path: Path) -> None:
    (tmp_path / "keeper.pdf").write_bytes(pdf([["Tides at Ravenholm", KEEPER]], "Tides at Ravenholm"))
    (tmp_path / "scan.pdf").write_bytes(pdf([stream(b"/I Do")], picture=True))
    done = command("load", str(tmp_path / "keeper.pdf"), str(tmp_path / "scan.pdf"), "--json")
    assert done.returncode == 1, done.stderr
    loaded, scanned = json.loads(done.stdout)
    assert (loaded["kind"], loaded["title"], loaded["ok"]) == ("PDF", "Tides at Ravenholm", True)
    assert (scanned["status"], scanned["ok"]) == ("scanned PDF", False)


def test_a_question_on_a_word_document(tmp_path: Path) -> None:
    path = tmp_path / "keeper.docx"
    path.write_bytes(word(paragraph("Ravenholm", '<w:outlineLvl w:val="0"/>') + paragraph(KEEPER)))
    question = "Who was the lighthouse keeper of Ravenholm?"
    done = command("ask", question, "--strategy", "naive", "--source", str(path), "--json")
    assert done.returncode == 0, done.stderr
    assert "Ada Thorne" in json.loads(done.stdout)["answer"]
