"""The exceptions of the project. Each carries a message that is written for people."""


class RagGraphsError(Exception):
    """Something went wrong that the reader can understand and do something about."""


class SettingsError(RagGraphsError):
    """A setting has a wrong name or a value out of range."""


class SourceError(RagGraphsError):
    """A source could not be loaded. `kind` is a short label for a status column."""

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind


class LibraryError(RagGraphsError):
    """The library itself (its folder, its index) cannot be used."""


class ServiceError(RagGraphsError):
    """A model server or a search service did not give what was asked of it."""

    def __init__(self, message: str, *, service: str = "", kind: str = "") -> None:
        super().__init__(message)
        self.service = service
        self.kind = kind


class SearchUnavailable(ServiceError):
    """A web search failed or is switched off; a run notes it and goes on."""


class SpendingCapReached(RagGraphsError):
    """A call was refused because the run has spent what it may. Components let it through; the runner ends the run."""


class SetupError(RagGraphsError):
    """Something that was chosen is not set up. `kind` is a short label, "no key" where one is missing."""

    def __init__(self, message: str, *, kind: str = "not set up") -> None:
        super().__init__(message)
        self.kind = kind


class TraceError(RagGraphsError):
    """A trace cannot be read: damaged, too large, or of a version not known here."""


class TooManyRuns(RagGraphsError):
    """The server runs as many graphs as it may; try again shortly."""


class UnknownRun(RagGraphsError):
    """No run has this id."""


def in_words(error: Exception) -> str:
    """What a run that broke says: the project's own message, or a general one for a bug, whose words may hold anything."""
    if isinstance(error, RagGraphsError):
        return str(error)
    return f"Something in the program broke ({type(error).__name__}). This is a bug; please report it."
