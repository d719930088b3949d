"""Name languages for people, by ISO 639-1 code: those that the detector tells apart."""

from __future__ import annotations

from rag_graphs.views.translation import _

_NAMES = """
af Afrikaans|am Amharic|an Aragonese|ar Arabic|as Assamese|az Azerbaijani|be Belarusian|bg Bulgarian|bn Bengali
br Breton|bs Bosnian|ca Catalan|cs Czech|cy Welsh|da Danish|de German|dz Dzongkha|el Greek|en English|eo Esperanto
es Spanish|et Estonian|eu Basque|fa Persian|fi Finnish|fo Faroese|fr French|ga Irish|gl Galician|gu Gujarati
he Hebrew|hi Hindi|hr Croatian|ht Haitian Creole|hu Hungarian|hy Armenian|id Indonesian|is Icelandic|it Italian
ja Japanese|jv Javanese|ka Georgian|kk Kazakh|km Khmer|kn Kannada|ko Korean|ku Kurdish|ky Kyrgyz|la Latin
lb Luxembourgish|lo Lao|lt Lithuanian|lv Latvian|mg Malagasy|mk Macedonian|ml Malayalam|mn Mongolian|mr Marathi
ms Malay|mt Maltese|nb Norwegian Bokmål|ne Nepali|nl Dutch|nn Norwegian Nynorsk|no Norwegian|oc Occitan|or Odia
pa Punjabi|pl Polish|ps Pashto|pt Portuguese|qu Quechua|ro Romanian|ru Russian|rw Kinyarwanda|se Northern Sami
si Sinhala|sk Slovak|sl Slovenian|sq Albanian|sr Serbian|sv Swedish|sw Swahili|ta Tamil|te Telugu|th Thai|tl Tagalog
tr Turkish|ug Uyghur|uk Ukrainian|ur Urdu|vi Vietnamese|vo Volapük|wa Walloon|xh Xhosa|zh Chinese|zu Zulu
"""
LANGUAGES = dict(entry.split(" ", 1) for line in _NAMES.split("\n") for entry in line.split("|") if entry)


def language_name(code: str) -> str:
    """Return the name of a language by its ISO 639-1 code; the code itself when it is not known, "unknown" when it is
    empty."""
    if not code:
        return _("unknown")
    name = LANGUAGES.get(code.partition("-")[0].lower())
    return _(name) if name else code
