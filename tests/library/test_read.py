"""Bytes to pages: what is kept, what is left out, what is refused."""

from __future__ import annotations

import gzip
import io
import re
import zipfile

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_graphs.errors import SourceError
from rag_graphs.library.read import guard
from rag_graphs.library.read import read as reading
from rag_graphs.library.read.kinds import kind_of
from rag_graphs.library.read.read import Page, from_text, read
from tests.library.conftest import ARTICLE, PROSE, page

URL = "https://example.org/lighthouse"


def html(body: str, **parts: str) -> Page:
    return read(page(body, **parts).encode(), "text/html; charset=utf-8", URL)


def refused(body: str | bytes, content_type: str = "text/html") -> SourceError:
    with pytest.raises(SourceError) as caught:
        read(body.encode() if isinstance(body, str) else body, content_type, URL)
    assert str(caught.value).endswith(".")
    return caught.value


def test_a_page() -> None:
    found = read(ARTICLE.encode(), "text/html; charset=utf-8", URL)
    assert found.title == "The lighthouse"
    assert found.text == f"# The lighthouse\n\n{PROSE.strip()}"
    assert (found.kind, found.encoding, found.language) == ("HTML", "UTF-8 from header", "en")
    assert found.warnings == ()


CLUTTER = """<header>Site header words</header><nav>Home About</nav><div role="navigation">Rolled menu</div>
<div class="cookie-banner">We use cookies. <button>Accept all</button></div><div id="gdpr-consent">Consent words</div>
<div class="breadcrumbs">You are here</div><aside>Aside words</aside><script>var hidden = "Script words";</script>
<style>.a { color: red }</style><noscript>Noscript words</noscript><template>Template words</template>
<p hidden>Hidden words</p><p style="display: none">Invisible words</p><div aria-hidden="true">Unheard words</div>
<!-- Comment words --><form><input value="Input words"><select><option>Option words</option></select></form>"""
FOOT = "<footer>Footer words</footer><div class='share'>Share this</div><div role='contentinfo'>Imprint words</div>"


@pytest.mark.parametrize(
    "frame", ["<main>{}</main>", '<div role="main">{}</div>', "<article>{}</article>", "<div>{}</div>"]
)
@pytest.mark.parametrize("inside", [True, False])
def test_clutter_is_left_out(frame: str, inside: bool) -> None:
    article = f"<h1>The lighthouse</h1><p>{PROSE}</p><h2>Later</h2><p>{PROSE}</p>"
    # a header or an aside inside the article is part of it
    clutter = re.sub("<(header|aside)>.*?</\\1>", "", CLUTTER) if inside else CLUTTER
    found = html(frame.format(clutter + article + FOOT) if inside else clutter + frame.format(article) + FOOT)
    assert PROSE.strip() in found.text
    assert "# The lighthouse\n" in found.text
    assert "## Later\n" in found.text
    for words in (
        "Site header",
        "Home About",
        "menu",
        "cookies",
        "Consent",
        "You are here",
        "Aside",
        "Script",
        "color",
    ):
        assert words not in found.text
    for words in (
        "Noscript",
        "Template",
        "Hidden",
        "Invisible",
        "Unheard",
        "Comment",
        "Option",
        "Footer",
        "Share",
        "Imprint",
    ):
        assert words not in found.text


def test_the_text_of_the_page_may_speak_of_cookies_and_banners() -> None:
    body = f"<main><section id='cookie-objects'><h2>Cookie objects</h2><p>{PROSE}</p></section></main>"
    assert "## Cookie objects" in html(body).text


def test_code_tables_lists_and_definitions() -> None:
    found = html(
        f"""<main><h1>T</h1><p>{PROSE}</p><pre>def f(x):
    <span>return</span> x</pre>
<table><tr><th>Name</th><th>Use</th></tr><tr><td><code>a|b</code></td><td>First<br>choice</td></tr></table>
<ul><li>One<ol><li>inner</li><li>second</li></ol></li><li><p>Two</p><pre>code</pre></li></ul>
<dl><dt>Term</dt><dt>Other</dt><dd>Meaning</dd></dl><blockquote><p>Said</p></blockquote>
<p>Call <code>f(1)</code>, <b>bold</b> and <a href="/x">a link</a>.<br>New line.</p></main>"""
    )
    assert "```\ndef f(x):\n    return x\n```" in found.text
    assert "| Name | Use |\n| --- | --- |\n| `a\\|b` | First choice |" in found.text
    assert "- One\n  1. inner\n  2. second\n- Two\n  ```\n  code\n  ```" in found.text
    assert "Term, Other: Meaning" in found.text
    assert "> Said" in found.text
    assert "Call `f(1)`, bold and a link.\nNew line." in found.text


def test_signatures_are_headings_and_the_section_goes_on_after_them() -> None:
    found = html(
        f"""<div role="main"><h1>mod — A module<a class="headerlink" href="#mod">¶</a></h1><p>{PROSE}</p>
<h2>Functions<a href="#f">¶</a></h2><dl class="py function"><dt class="sig sig-object py"><span>mod.</span><span>open</span>(
<em>file</em>)<a class="headerlink" href="#o">¶</a></dt><dd><p>Opens it.</p>
<dl class="py method"><dt class="sig">close()</dt><dd><p>Closes it.</p></dd></dl></dd></dl><p>An example of all.</p></div>"""
    )
    assert found.text.split(PROSE.strip())[1] == (
        "\n\n## Functions\n\n### mod.open( file)\n\nOpens it.\n\n#### close()\n\nCloses it.\n\n## Functions\n\nAn example of all."
    )
    assert "¶" not in found.text


@pytest.mark.parametrize(
    ("head", "heading", "title"),
    [
        ("", "The lighthouse", "The lighthouse"),
        ('<meta property="og:title" content="Northern cape">', "Another", "Northern cape"),
        ('<meta property="og:title" content="Another | Site">', "Another", "Another"),
        ("", "", "The lighthouse — Cape Museum"),
        ("", "A wholly different heading", "The lighthouse — Cape Museum"),
    ],
)
def test_title(head: str, heading: str, title: str) -> None:
    body = f"<main><h1>{heading}</h1><p>{PROSE}</p></main>"
    assert html(body, title="The lighthouse — Cape Museum", head=head).title == title


def test_a_page_without_any_title_is_named_by_its_address() -> None:
    assert read(f"<html><body><p>{PROSE}</p></body></html>".encode(), "text/html", URL).title == "lighthouse"


KOREAN = (
    "등대는 1874년에 두 형제가 북쪽 곶에 세웠습니다. 처음에는 고래 기름으로 불을 밝혔고 나중에는 전기를 썼습니다. " * 5
)


@pytest.mark.parametrize(
    ("stated", "text", "language"), [("en", KOREAN, "ko"), ("ko", KOREAN, "ko"), ("", PROSE, "en")]
)
def test_language_is_that_of_the_text(stated: str, text: str, language: str) -> None:
    found = html(f"<main><p>{text}</p></main>", lang=stated)
    assert found.language == language
    assert any("its language" in w for w in found.warnings) == (stated not in ("", language))


@pytest.mark.parametrize(
    ("kind", "body"),
    [
        ("image", b"\x89PNG\r\n\x1a\n" + bytes(200)),
        ("image", b"\xff\xd8\xff\xe0" + bytes(200)),
        ("image", b"GIF89a" + bytes(200)),
        ("image", b"RIFF\x00\x00\x00\x00WEBPVP8 " + bytes(100)),
        ("image", b"<?xml version='1.0'?><svg xmlns='http://www.w3.org/2000/svg'><text>words</text></svg>"),
        ("archive", gzip.compress(ARTICLE.encode())),
        ("archive", b"7z\xbc\xaf\x27\x1c" + bytes(100)),
        ("audio or video", b"\x00\x00\x00\x20ftypisom" + bytes(100)),
        ("program", b"\x7fELF" + bytes(100)),
        ("data", bytes(range(256)) * 20),
    ],
)
@pytest.mark.parametrize("content_type", ["text/html", "text/plain", "application/octet-stream", ""])
def test_what_is_no_text_is_told_by_its_bytes(kind: str, body: bytes, content_type: str) -> None:
    assert refused(body, content_type).kind == kind


@pytest.mark.parametrize("content_type", ["text/html", "text/plain", "application/octet-stream", ""])
def test_pdf_files_are_told_by_their_bytes(content_type: str) -> None:
    assert kind_of(b"%PDF-1.7\n" + b"text " * 50, content_type, URL) == "PDF"
    assert kind_of(b"\n\n%PDF-1.4\n" + b"text " * 50, content_type, URL) == "PDF"


@pytest.mark.parametrize("content_type", ["application/pdf", "application/msword"])
def test_what_is_said_to_be_a_document_and_is_none(content_type: str) -> None:
    assert refused(PROSE, content_type).kind == "damaged"
    assert read(ARTICLE.encode(), content_type, URL).kind == "HTML"  # a login page, say


def test_office_files_are_told_apart_from_archives() -> None:
    def packed(*names: str) -> bytes:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            for name in names:
                archive.writestr(name, "x")
        return buffer.getvalue()

    assert kind_of(packed("[Content_Types].xml", "word/document.xml"), "text/html", URL) == "Word document"
    assert refused(packed("[Content_Types].xml", "xl/workbook.xml")).kind == "Office document"
    assert refused(packed("a.txt")).kind == "archive"


@pytest.mark.parametrize(
    "content_type", ["application/json", "text/css", "application/javascript", "text/csv", "application/rss+xml"]
)
def test_data_files_are_told_by_their_type(content_type: str) -> None:
    assert refused('{"a": "words"}' * 50, content_type).kind == "data"


@pytest.mark.parametrize(
    ("content_type", "address", "body", "kind"),
    [
        ("text/html", URL, ARTICLE, "HTML"),
        ("text/plain", URL, ARTICLE, "HTML"),
        ("", URL, ARTICLE, "HTML"),
        ("application/octet-stream", URL + ".html", ARTICLE, "HTML"),
        ("text/html", URL, PROSE, "plain text"),
        ("text/plain", URL, PROSE, "plain text"),
        ("text/plain", URL, "if a < b then c > d. " + PROSE, "plain text"),
        ("text/markdown; charset=utf-8", URL, "# Cape\n\n" + PROSE, "Markdown"),
        ("text/plain", URL + ".md", "# Cape\n\n" + PROSE, "Markdown"),
        ("application/octet-stream", URL + ".md", "# Cape\n\n" + PROSE, "Markdown"),
    ],
)
def test_kind(content_type: str, address: str, body: str, kind: str) -> None:
    found = read(body.encode(), content_type, address)
    assert found.kind == kind
    assert PROSE.strip() in found.text
    if kind == "Markdown":
        assert found.title == "Cape"


WALLS = {
    "bot wall": [
        page("<h1>Checking your browser before accessing example.org</h1>", title="Just a moment..."),
        page("<p>Enable JavaScript and cookies to continue</p>", title="Just a moment..."),
        page("<noscript>Enable JavaScript and cookies to continue</noscript><script src=x></script>", title="Just a moment..."),
        page("<h1>Access Denied</h1><p>You don't have permission to access this page on this server. Reference 18.2</p>"),
        page("<p>Our systems have detected unusual traffic from your computer network. Please solve the CAPTCHA.</p>"),
        page("<p>Please verify you are a human</p><div class='captcha'></div>", title="Robot check"),
        page("<h1>Attention Required! | Cloudflare</h1><p>Sorry, you have been blocked</p>"),
        page("<p>Your browser is out of date. Update it to view this site correctly.</p>"),
        page("<p>请稍候… 正在进行安全验证</p>", lang="zh"),
    ],
    "JavaScript page": [
        page('<div id="root"></div><script src="/app.js"></script>', title="App"),
        page('<div id="__next"></div><script>self.__next=1</script>'),
        page('<noscript>You need to enable JavaScript to run this app.</noscript><div id="app"></div>', title="My app"),
        page("<p>This site requires JavaScript.</p>"),
        page("<p>Bitte aktivieren Sie JavaScript.</p>", lang="de"),
        page("<p>Loading…</p><script src=a.js></script>"),
        page("<app-root></app-root><script type='module' src='main.js'></script>"),
    ],
    "login needed": [
        page('<h1>Sign in</h1><form><input name=user><input type="password"><button>Log in</button></form><p>Forgot it?</p>'),
        page("<main><h2>로그인</h2><p>계정이 필요합니다</p><form><input type='password'></form></main>", lang="ko"),
    ],
    "cookie page": [
        page("<p>We value your privacy. We and our partners store cookies. Accept all cookies or set your preferences.</p>"),
    ],
    "not found": [
        page("<h1>404</h1><p>Page not found</p>", title="Not found"),
        page("<h1>Oops</h1><p>The page does not exist any more, we are sorry about that.</p>", title="404 - Example"),
        page("<h1>Página no encontrada</h1><p>Lo sentimos mucho, vuelva al inicio.</p>", lang="es"),
    ],
    "empty page": [
        "",
        "   \n ",
        "<html></html>",
        page(""),
        page("<nav>Home</nav><footer>Imprint, contact and all that</footer>"),
        page("<p>Hello.</p>"),
        page("", head='<meta http-equiv="refresh" content="0; url=/new">'),
    ],
}  # fmt: skip


@pytest.mark.parametrize(("kind", "body"), [(kind, body) for kind, bodies in WALLS.items() for body in bodies])
def test_pages_without_text_of_their_own_are_refused(kind: str, body: str) -> None:
    assert refused(body).kind == kind


def test_a_character_that_stands_for_unreadable_ones_may_be_meant() -> None:
    assert html(f"<main><p>It is shown as \ufffd. {PROSE}</p></main>").warnings == ()
    body = page(f"<main><p>{PROSE} {'été ' * 30}</p></main>").encode() + b"\xff"
    assert "1 character could" in read(body, "text/html; charset=utf-8", URL).warnings[0]


def test_a_short_page_with_navigation_is_no_script_shell() -> None:
    body = (
        "<nav>"
        + "Chapter and verse. " * 30
        + "</nav><main><p>Uploading is described in another book, see there.</p></main>"
    )
    assert "Uploading" in html(body + "<script src=a.js></script>").text


def test_a_page_that_forwards_says_where_to() -> None:
    script = page(
        "<p>Redirecting to <a>x</a></p><script>location='/x'</script>",
        head='<meta http-equiv="refresh" content="0;URL=x">',
    )
    assert "to x:" in str(refused(script))
    assert "/new" in str(refused(page("", head='<meta http-equiv="Refresh" content="0; URL=\'/new\'">')))


@pytest.mark.parametrize(
    "text",
    [
        "A captcha asks people to verify that they are human: access denied, just a moment, unusual traffic. ",
        "JavaScript must be enabled for some pages, cookies accepted, and you may have to sign in. ",
        "The status 404 means not found; 403 means access denied. ",
    ],
)
def test_an_article_about_walls_is_an_article(text: str) -> None:
    body = f"<main><h1>On the web</h1><p>{text}{PROSE}{PROSE}</p></main><script>1</script>"
    assert text.strip() in html(body).text


def test_a_short_page_loads_with_a_warning() -> None:
    found = html(f"<main><h1>Lamp</h1><p>{' '.join(PROSE.split()[:55])}</p></main><script src=stats.js></script>")
    assert any("few words" in w for w in found.warnings)
    assert html(f"<main><p>{PROSE}</p></main>").warnings == ()


def test_short_pages_in_scripts_without_spaces_are_not_empty() -> None:
    assert (
        "灯台"
        in html(
            "<main><p>この灯台は千八百七十四年に二人の兄弟によって北の岬に建てられました。</p></main>", lang="ja"
        ).text
    )


def outcome_of(body: str) -> str:
    """ "page", or the kind of the refusal."""
    try:
        found = read(body.encode(), "text/html", URL)
    except SourceError as error:
        return error.kind
    assert "root:x:" not in found.text
    assert "\0" not in found.text
    assert found.text.encode()
    return "page"


HOSTILE = {
    "deep": "<div>" * 100_000 + "end",
    "deep inline": "<b>" * 200_000 + "end",
    "deep lists": "<ul><li>" * 20_000 + "end",
    "deep tables": "<table><tr><td>" * 20_000 + "end",
    "deep quotes": "<blockquote>" * 20_000 + "end",
    "attributes": "<p " + " ".join(f'a{i}="x"' for i in range(100_000)) + ">end",
    "attributes without spaces": "<p/" + "/".join(f"a{i}" for i in range(100_000)) + ">end",
    "attributes after a quoted bracket": '<p x=">" ' + " ".join(f"a{i}" for i in range(100_000)) + ">end",
    "attributes behind a false comment": "<!--> <b x='--><p " + " ".join(f"a{i}" for i in range(100_000)) + "'>end",
    "attributes behind a script": "<script>a<b x='</script><p " + " ".join(f"a{i}" for i in range(100_000)) + "'>end",
    "long attribute": '<p title="' + "x" * 2_000_000 + '">end',
    "entities": '<!DOCTYPE x [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;&a;">]><p>' + "&b;" * 50_000,
    "outside entity": '<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]><p>&e; root:</p>',
    "unclosed": "<a><p>" * 20_000,
    "nulls": "\0".join("<p>hello</p>"),
    "only brackets": "<" * 300_000,
    "unterminated quotes": '<a ="</' * 50_000,
    "many small": "<p>x</p>" * 60_000,
    "breaks": "<p>" + "x<br>" * 60_000,
    "spans": "<p>" + "<span>x</span>" * 60_000,
    "pre": "<pre>" + "`" * 50_000 + "\n" * 50_000,
    "surrogates": "&#xD800; &#x110000; &#0; &#x1F600;" * 100,
    "wrong order": "</p></html><td></body><li><tr></table><head><h1><p></h1>",
}


@pytest.mark.timeout(120)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_markup_ends_in_a_page_or_a_refusal(name: str) -> None:
    for body in (HOSTILE[name], f"<main><p>{PROSE}</p>{HOSTILE[name]}</main>"):
        outcome = outcome_of(f"<html><body>{body}</body></html>")
        assert outcome in ("page", "empty page", "unreadable page")


TAGS = re.findall(r"\w+", "p div ul li table tr td dl dt dd pre code h1 a blockquote main article b")
PARTS = [f"<{slash}{tag}>" for tag in TAGS for slash in ("", "/")]
PARTS += [
    "<br>",
    "<dt class=sig>",
    "words and more",
    "``",
    "```",
    "|",
    "#",
    "&amp;",
    "&lt;",
    "<!--",
    "-->",
    "'",
    '"',
    "=",
    "<",
    ">",
    "\0",
]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from(PARTS), max_size=40))
def test_no_markup_breaks_it(parts: list[str]) -> None:
    body = f"<body>{' '.join(parts)}<p>{PROSE}</p></body>"
    assert outcome_of(body) in ("page", "empty page", "JavaScript page")


def test_markup_is_closed_after_too_many_attributes_and_otherwise_untouched() -> None:
    assert guard.bound_tags(ARTICLE) == ARTICLE
    many = f"<p {' '.join(f'a{i}=1' for i in range(5000))}>text</p>"
    bounded = guard.bound_tags(many)
    assert bounded.index(">") < len(many) / 2
    assert bounded.endswith("text</p>")


def test_reading_that_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    import threading

    done = threading.Event()
    monkeypatch.setattr(reading, "MAX_SECONDS", 0.05)
    monkeypatch.setattr(reading, "_read", lambda *_: done.wait(20))
    assert refused(ARTICLE).kind == "unreadable page"
    done.set()


def test_pasted_text() -> None:
    found = from_text("# Cape\r\n\r\nA lamp.\u200b\x00  \r\n\r\n\r\n\r\nEnd.", "")
    assert found.title == "Cape"
    assert found.text == "# Cape\n\nA lamp.\n\nEnd."
    assert from_text("A lamp.", " My  notes ").title == "My notes"
    assert from_text("A lamp.", "").title == "A lamp."
    for empty in ("", "  \n", "***", "\0"):
        with pytest.raises(SourceError):
            from_text(empty)
