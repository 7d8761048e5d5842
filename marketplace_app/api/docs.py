"""The documentation of the API: Swagger UI from a package, with no inline script and nothing from another host."""

from importlib import resources

from fastapi import APIRouter
from starlette.responses import HTMLResponse, Response

from marketplace_app.errors import NotFound
from marketplace_app.templates import render

router = APIRouter(prefix="/api/docs", include_in_schema=False)

START = 'SwaggerUIBundle({ url: "/api/openapi.json", dom_id: "#docs", deepLinking: true, docExpansion: "none" });'
FILES = {"swagger-ui-bundle.js": "text/javascript", "swagger-ui.css": "text/css"}
CACHE_ONE_DAY = {"Cache-Control": "public, max-age=86400"}


@router.get("")
def page() -> Response:
    return HTMLResponse(render("api_docs.html"))


@router.get("/start.js")
def start() -> Response:
    return Response(START, media_type="text/javascript")


@router.get("/{name}")
def file(name: str) -> Response:
    if name not in FILES:
        raise NotFound()
    content = resources.files("fastapi_swagger.resources").joinpath(name).read_bytes()
    return Response(content, media_type=FILES[name], headers=CACHE_ONE_DAY)
