"""Drawn packages, each at a signed URL that contains what is drawn."""

from fastapi import APIRouter
from starlette.responses import Response

from marketplace_app import packaging
from marketplace_app.errors import NotFound

router = APIRouter(prefix=packaging.PACKAGES_PREFIX.rstrip("/"), include_in_schema=False)


@router.api_route("/{file}", methods=["GET", "HEAD"])
def package(file: str) -> Response:
    drawing = packaging.drawing_at(f"{packaging.PACKAGES_PREFIX}{file}")
    if drawing is None:
        raise NotFound()
    return Response(drawing, media_type="image/svg+xml")
