"""Request smuggling: requests, as bytes, about whose end two servers may disagree."""

import json
import socket
import ssl
from collections.abc import Iterator


def smuggled_request(host: str, subject: str) -> bytes:
    """A guest's ticket, which is stored if it is read as a request."""
    ticket = {"subject": subject, "message": "Smuggled in another request.", "customerEmail": "smuggler@example.org"}
    body = json.dumps(ticket)
    head = f"POST /api/support/tickets HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(body)}\r\n\r\n{body}".encode()


def ambiguous_requests(host: str, smuggled: bytes) -> Iterator[tuple[str, bytes]]:
    """A name for each, and the request with the smuggled one in its body."""
    ended, chunked = b"0\r\n\r\n" + smuggled, b"%x\r\n%b\r\n0\r\n\r\n" % (len(smuggled), smuggled)
    whole = f"Content-Length: {len(ended)}\r\n"
    first_line = b"%x\r\n" % len(smuggled)  # of the chunk
    short = f"Content-Length: {len(first_line)}\r\n"
    yield "CL.TE", _post(host, whole + "Transfer-Encoding: chunked\r\n", ended)
    yield "TE.CL", _post(host, short + "Transfer-Encoding: chunked\r\n", chunked)
    yield "two lengths", _post(host, f"Content-Length: 0\r\nContent-Length: {len(smuggled)}\r\n", smuggled)
    yield (
        "two lengths, the larger first",
        _post(host, f"Content-Length: {len(smuggled)}\r\nContent-Length: 0\r\n", smuggled),
    )
    yield "a list of lengths", _post(host, f"Content-Length: 0, {len(smuggled)}\r\n", smuggled)
    for length in ("+0", "-1", "0x0", "0 1", "0\x0b", "00", "\uff10", ""):
        yield f"a length of {length!r}", _post(host, f"Content-Length: {length}\r\n", smuggled)
    for field in (
        "Transfer-Encoding: xchunked",
        "Transfer-Encoding : chunked",
        "Transfer-Encoding:\x0bchunked",
        "Transfer-Encoding:\tchunked",
        "Transfer-Encoding: CHUNKED",
        "Transfer-Encoding: chunked, identity",
        "Transfer-Encoding: identity, chunked",
        "Transfer-Encoding: identity\r\nTransfer-Encoding: chunked",
        "Transfer-Encoding: chunked\r\nTransfer-Encoding: x",
        "Transfer-Encoding:\r\n chunked",
        "X-Folded: x\r\n Transfer-Encoding: chunked",
        "X-Line: x\nTransfer-Encoding: chunked",
        "X-Return: x\rTransfer-Encoding: chunked",
        "X-Nul: \x00\r\nTransfer-Encoding: chunked",
        "Transfer_Encoding: chunked",
    ):
        yield f"{field!r} with the length of its whole body", _post(host, f"{whole}{field}\r\n", ended)
        yield f"{field!r} with the length of its first line", _post(host, f"{short}{field}\r\n", chunked)
    for chunks in (b"0x0\r\n\r\n", b"-0\r\n\r\n", b"0;\n\r\n\r\n", b"1\r\nxx0\r\n\r\n", b"f" * 17 + b"1\r\n", b"0\n\n"):
        yield f"chunks {chunks!r}", _post(host, "Transfer-Encoding: chunked\r\n", chunks + smuggled)
    yield "a trailer", _post(host, "Transfer-Encoding: chunked\r\n", b"0\r\nContent-Length: 9\r\n\r\n" + smuggled)
    yield "HTTP/1.0", _post(host, "Transfer-Encoding: chunked\r\n", ended).replace(b"HTTP/1.1", b"HTTP/1.0", 1)
    yield "GET with a length", _post(host, f"Content-Length: {len(smuggled)}\r\n", smuggled).replace(b"POST", b"GET", 1)
    yield "GET without one", _post(host, "", smuggled).replace(b"POST", b"GET", 1)
    yield "two hosts", _post(host, "Host: evil.example\r\nContent-Length: 0\r\n", b"")
    yield "an upgrade", _post(host, "Upgrade: websocket\r\nConnection: Upgrade\r\nContent-Length: 0\r\n", smuggled)
    yield "HTTP/2 in clear text", _post(host, "Upgrade: h2c\r\nConnection: Upgrade, HTTP2-Settings\r\n", smuggled)


def _post(host: str, fields: str, body: bytes) -> bytes:
    head = f"POST /api/verify-age HTTP/1.1\r\nHost: {host}\r\nContent-Type: application/json\r\n{fields}\r\n"
    return head.encode() + body


def exchange(port: int, sent: bytes, context: ssl.SSLContext | None = None, quiet_seconds: float = 0.7) -> bytes:
    """Everything that comes back on one connection until it is quiet or closed."""
    received = b""
    with socket.create_connection(("127.0.0.1", port), timeout=5) as plain:
        connection = context.wrap_socket(plain, server_hostname="127.0.0.1") if context else plain
        connection.settimeout(quiet_seconds)
        try:
            connection.sendall(sent)
            while part := connection.recv(65_536):
                received += part
        except OSError:  # a time-out too
            pass
        finally:
            connection.close()
    return received


def statuses_in(received: bytes) -> list[int]:
    return [int(part[:3]) for part in received.split(b"HTTP/1.1 ")[1:]]
