"""The exceptions of the project. Each carries a message for the person who uses it."""


class RagGraphsError(Exception):
    """The base of all exceptions whose message a user can understand and act on."""


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
    """A model server or a search service could not be reached or gave no usable reply."""

    def __init__(self, message: str, *, service: str = "", kind: str = "") -> None:
        super().__init__(message)
        self.service = service
        self.kind = kind


class SearchUnavailable(ServiceError):
    """A web search failed or is switched off; a run warns and goes on."""


class SpendingCapReached(RagGraphsError):
    """A model call was refused because the run has used up its cap. Components must not catch it; the runner ends the run."""


class SetupError(RagGraphsError):
    """A chosen model or service is not set up. `kind` is a short label, for example "no key"."""

    def __init__(self, message: str, *, kind: str = "not set up") -> None:
        super().__init__(message)
        self.kind = kind


class TraceError(RagGraphsError):
    """A trace cannot be read: it is damaged, too large, or of an unknown version."""


class TooManyRuns(RagGraphsError):
    """The server already runs as many graphs as it may at once; try again shortly."""


class UnknownRun(RagGraphsError):
    """No run has this id."""


def in_words(error: Exception) -> str:
    """Return the message to show for a run that failed. A bug gets a general one, because its own text may hold secrets."""
    if isinstance(error, RagGraphsError):
        return str(error)
    return f"Something in the program broke ({type(error).__name__}). This is a bug; please report it."
