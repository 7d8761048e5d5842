"""A collector of traces, as an operator would run one: it answers OTLP over HTTP, or takes spans and never answers."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.proto.trace.v1.trace_pb2 import Span


@dataclass
class Collector:
    url: str = ""
    bodies: list[bytes] = field(default_factory=list)
    hangs: threading.Event | None = None
    """If the collector never answers; setting it ends the requests that wait."""

    def spans(self) -> list[Span]:
        requests = [ExportTraceServiceRequest.FromString(body) for body in list(self.bodies)]
        return [
            span for request in requests for each in request.resource_spans for scope in each.scope_spans
            for span in scope.spans
        ]  # fmt: skip

    def wait_for(self, is_wanted: Callable[[Span], object], within_seconds: float = 10) -> Span:
        deadline = time.monotonic() + within_seconds
        while not (found := next(filter(is_wanted, self.spans()), None)):
            assert time.monotonic() < deadline, f"only these arrived: {[span.name for span in self.spans()]}"
            time.sleep(0.02)
        return found

    def wait_for_a_request(self, within_seconds: float = 10) -> None:
        deadline = time.monotonic() + within_seconds
        while not self.bodies:
            assert time.monotonic() < deadline, "nobody sent anything"
            time.sleep(0.02)


def attributes(span: Span) -> dict[str, str | int]:
    return {each.key: each.value.string_value or each.value.int_value for each in span.attributes}


@contextmanager
def collecting(*, hangs: bool = False) -> Iterator[Collector]:
    collector = Collector(hangs=threading.Event() if hangs else None)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            collector.bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
            if collector.hangs:
                collector.hangs.wait(60)
                return
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    collector.url = f"http://127.0.0.1:{server.server_port}/v1/traces"
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    try:
        yield collector
    finally:
        if collector.hangs:
            collector.hangs.set()
        server.shutdown()
        server.server_close()
