"""Who may ask a server on this machine: the names it is called by, foreign pages, and the token.

On loopback whoever is on this machine may ask. On any other address everybody needs the token,
whether for pages, the API or MCP. A page of another site can neither call the server by a name of
its own (`Host`), nor send it a form (`Origin`).
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

__all__ = ["TOKEN_COOKIE", "Access", "choose_token", "is_loopback"]

TOKEN_COOKIE = "trialyst_token"
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_LOOPBACK_NAMES = frozenset({"localhost", "127.0.0.1", "::1"})


def is_loopback(host: str) -> bool:
    """Whether only programs of this machine reach an address.

    >>> is_loopback("127.0.0.1"), is_loopback("0.0.0.0")
    (True, False)
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def choose_token(host: str, given: str | None = None) -> str | None:
    """Give the token that requests need: the one given, a new one off loopback, else none."""
    return given or (None if is_loopback(host) else secrets.token_urlsafe(24))


class Access:
    """Lets a request through to an app, or refuses it with what to do."""

    def __init__(self, app: ASGIApp, *, host: str, token: str | None = None) -> None:
        self._app = app
        self._host = host
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refuse(scope)
        await (refusal or self._app)(scope, receive, send)

    def _refuse(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        called = headers.get("host", "")
        if not self._is_known(_name_of(called)):
            return _refusal(421, f"This server is not called {called!r}: use its own address.")
        if not self._may_come_from(headers.get("origin"), called, scope["method"]):
            return _refusal(403, "A page of another site may neither ask nor send anything here.")
        return self._check_token(scope, headers)

    def _may_come_from(self, origin: str | None, called: str, method: str) -> bool:
        """Say whether a page may ask: one of this server, or to read one of this machine."""
        if origin is None or origin.lower() in (f"http://{called}", f"https://{called}".lower()):
            return True
        local = is_loopback(self._host) and is_loopback(_name_of(origin.partition("://")[2]))
        return local and method in _SAFE

    def _is_known(self, name: str) -> bool:
        if name in _LOOPBACK_NAMES or name == self._host.lower():
            return True
        if is_loopback(self._host):
            return is_loopback(name)
        # Bound to every address, it cannot know its names; the token keeps strangers out.
        return _is_address(name) or name in _names_of_machine()

    def _check_token(self, scope: Scope, headers: Headers) -> Response | None:
        if self._token is None:
            return None
        asked = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if self._holds(value for name, value in asked if name == "token"):
            return self._admit(scope, [pair for pair in asked if pair[0] != "token"])
        kind, _, bearer = headers.get("authorization", "").partition(" ")
        given = [bearer.strip()] if kind.lower() == "bearer" else []
        if self._holds([*given, *_cookie(headers)]):
            return None
        return _refusal(
            401,
            "A token is needed here: open the address that the server printed when it started, "
            "or send the header `Authorization: Bearer TOKEN`.",
            {"WWW-Authenticate": "Bearer"},
        )

    def _holds(self, given: Iterable[str]) -> bool:
        token = (self._token or "").encode()
        return any(hmac.compare_digest(each.encode(), token) for each in given)

    def _admit(self, scope: Scope, rest: list[tuple[str, str]]) -> Response:
        """Keep the token in a cookie and take it out of the address, which histories keep."""
        # Two slashes would lead to another machine.
        path = "/" + scope["path"].lstrip("/")
        response = RedirectResponse(f"{path}?{urlencode(rest)}" if rest else path, 303)
        response.set_cookie(TOKEN_COOKIE, self._token or "", httponly=True, samesite="strict")
        response.headers["Cache-Control"] = "no-store"
        return response


def _refusal(status: int, told: str, headers: dict[str, str] | None = None) -> Response:
    return PlainTextResponse(f"{told}\n", status, headers)


def _name_of(called: str) -> str:
    """Give the name in a Host header, without its port."""
    try:
        return (urlsplit(f"//{called}").hostname or "").lower()
    except ValueError:
        return ""


def _cookie(headers: Headers) -> list[str]:
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(TOKEN_COOKIE)
    except CookieError:
        return []
    return [found.value] if found else []


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


def _names_of_machine() -> frozenset[str]:
    name = socket.gethostname().lower()
    return frozenset({name, name.partition(".")[0], f"{name.partition('.')[0]}.local"})
