"""A server of two worker processes, such as the store's, that answers with its PID."""

import os
import sys
from typing import Any

import uvicorn

from marketplace_app.jobs import process_group


def make() -> Any:
    process_group.end_with_parent()

    async def answer(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": str(os.getpid()).encode()})

    return answer


if __name__ == "__main__":
    uvicorn.run(f"{__spec__.name}:make", factory=True, port=int(sys.argv[1]), workers=2, log_level="warning")
