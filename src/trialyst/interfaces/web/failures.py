"""Errors as pages: what was wrong, where, and what to do."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from trialyst.errors import InvalidInput, NotFound, Overloaded, RateLimited, TrialystError
from trialyst.essie.errors import EssieError
from trialyst.interfaces.web.links import PageWording
from trialyst.interfaces.web.templating import render_template

__all__ = ["error_page", "failure_page", "to_failure"]

RETRY_AFTER = 10.0
_WORDING = PageWording()


def to_failure(error: TrialystError) -> dict[str, Any]:
    """Give what a page shows of an error."""
    message, hint = error.worded(_WORDING)
    caret = error.caret if isinstance(error, EssieError) else None
    return {"message": message, "hint": hint, "caret": caret, "code": error.code}


def _status(error: TrialystError) -> int:
    if isinstance(error, NotFound):
        return 404
    if isinstance(error, InvalidInput):
        return 400
    own = isinstance(error, Overloaded)
    return 429 if isinstance(error, RateLimited) and not own else 503


def error_page(request: Request, error: TrialystError, loaded: object = None) -> Response:
    """Give the page of an error; `loaded` is what the registry says of itself."""
    titles = {404: "Not found here", 400: "That cannot be asked as it stands"}
    status = _status(error)
    title = titles.get(status, "It did not work")
    response = failure_page(request, status=status, title=title, loaded=loaded, **to_failure(error))
    if status == 503:
        wait = error.retry_after if isinstance(error, Overloaded) else RETRY_AFTER
        response.headers["Retry-After"] = f"{wait:.0f}"
    return response


def failure_page(
    request: Request, *, status: int, title: str, loaded: object = None, **told: Any
) -> Response:
    """Give a page that says what to do."""
    values = {"title": title, "loaded": loaded, "failure": {"caret": None, "code": "", **told}}
    return HTMLResponse(render_template("failure.html", request, values), status)
