"""A bare ASGI application for limiters that decide and leave the answer to their user."""

from typing import Awaitable, Callable

PATH = "/v1/media"
ANSWER = b'{"success":true,"data":{}}'


def guarded(decide: Callable[[str], Awaitable[bool]]):
    """Answers 200 where `decide` admits the key, else the barest 429."""

    async def app(scope, receive, send):
        if scope["type"] == "lifespan":
            return await lifespan(receive, send)
        headers = dict(scope["headers"])
        if scope["path"] != PATH:
            return await answer(send, 404, b"")
        if await decide(headers.get(b"authorization", b"").decode()):
            return await answer(send, 200, ANSWER)
        return await answer(send, 429, b"")

    return "asgi", app


async def lifespan(receive, send) -> None:
    while True:
        message = await receive()
        await send({"type": f"{message['type']}.complete"})
        if message["type"] == "lifespan.shutdown":
            return


async def answer(send, status: int, body: bytes) -> None:
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
