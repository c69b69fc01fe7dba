"""Who may ask a server: names, foreign pages, tokens."""

from __future__ import annotations

from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from trialyst.interfaces.access import TOKEN_COOKIE, Access, choose_token

TOKEN = "a-token-of-ours"


def asking(host: str, token: str | None = None, called: str = "127.0.0.1:80") -> TestClient:
    async def answer(request: object) -> PlainTextResponse:
        return PlainTextResponse("in")

    app = Starlette(routes=[Route("/{path:path}", answer, methods=["GET", "POST"])])
    access = Access(app, host=host, token=token)
    return TestClient(access, base_url=f"http://{called}", follow_redirects=False)


def test_a_token_is_made_up_only_off_loopback() -> None:
    assert choose_token("127.0.0.1") is None
    assert choose_token("::1") is None
    assert len(choose_token("0.0.0.0") or "") > 20
    assert choose_token("127.0.0.1", TOKEN) == TOKEN


def test_foreign_names_are_refused() -> None:
    names = {"127.0.0.1": 200, "localhost:8080": 200, "[::1]": 200, "evil.test": 421}
    assert {name: asking("127.0.0.1", called=name).get("/").status_code for name in names} == names
    assert asking("0.0.0.0", TOKEN, called="evil.test").get("/").status_code == 421
    assert asking("0.0.0.0", TOKEN, called="192.0.2.7").get("/").status_code == 401


def test_pages_of_other_sites_can_neither_send_nor_read() -> None:
    client = asking("127.0.0.1")
    foreign = {"Origin": "https://evil.test"}
    assert client.post("/", headers=foreign).status_code == 403
    assert client.post("/", headers={"Origin": "null"}).status_code == 403
    assert client.get("/", headers=foreign).status_code == 403, "nor read"
    local = {"Origin": "http://localhost:8888"}
    assert client.get("/", headers=local).status_code == 200, "a page of this machine may read"
    assert client.post("/", headers=local).status_code == 403
    assert asking("0.0.0.0", TOKEN).get("/", headers=local).status_code == 403
    assert client.post("/", headers={"Origin": "http://127.0.0.1"}).status_code == 200
    assert client.post("/").status_code == 200, "programs send no Origin"


def test_the_token_opens_by_header_or_once_by_address() -> None:
    client = asking("0.0.0.0", TOKEN)
    assert client.get("/mcp").status_code == 401
    assert client.get("/mcp", headers={"Authorization": "Bearer wrong"}).status_code == 401
    assert client.get("/mcp", headers={"Authorization": f"Bearer {TOKEN}"}).status_code == 200
    admitted = client.get(f"/search?condition=asthma&token={TOKEN}")
    assert (admitted.status_code, admitted.headers["location"]) == (303, "/search?condition=asthma")
    assert "HttpOnly" in admitted.headers["set-cookie"]
    assert client.cookies[TOKEN_COOKIE] == TOKEN
    assert client.get("/search").status_code == 200
    address = f"http://127.0.0.1//evil.test/?token={TOKEN}"
    elsewhere = asking("0.0.0.0", TOKEN).get(address)
    assert elsewhere.headers["location"].startswith("/evil.test")
