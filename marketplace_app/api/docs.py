"""The API for people: Swagger UI from a package, with no inline script and nothing from another host."""

from importlib import resources

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from marketplace_app.errors import NotFound

router = APIRouter(prefix="/api/docs", include_in_schema=False)

PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>API</title>
<link rel="icon" href="/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/api/docs/swagger-ui.css">
</head>
<body>
<main id="docs"></main>
<script src="/api/docs/swagger-ui-bundle.js"></script>
<script src="/api/docs/start.js"></script>
</body>
</html>
"""
START = 'SwaggerUIBundle({ url: "/api/openapi.json", dom_id: "#docs", deepLinking: true });'
FILES = {"swagger-ui-bundle.js": "text/javascript", "swagger-ui.css": "text/css"}
KEEP_A_DAY = {"Cache-Control": "public, max-age=86400"}


@router.get("")
def page() -> Response:
    return HTMLResponse(PAGE)


@router.get("/start.js")
def start() -> Response:
    return Response(START, media_type="text/javascript")


@router.get("/{name}")
def file(name: str) -> Response:
    if name not in FILES:
        raise NotFound()
    content = resources.files("fastapi_swagger.resources").joinpath(name).read_bytes()
    return Response(content, media_type=FILES[name], headers=KEEP_A_DAY)
