"""Uploaded pictures and lab reports, from a folder or a bucket. The file at a URL never changes."""

from fastapi import APIRouter
from starlette.responses import Response

from marketplace_app.adapters import storage
from marketplace_app.errors import NotFound

router = APIRouter(prefix=storage.URL_PREFIX, include_in_schema=False)


@router.api_route("/{name:path}", methods=["GET", "HEAD"])
def file(name: str) -> Response:
    """Documents are downloaded, not displayed: a PDF may contain scripts."""
    content = storage.get_storage().open(name) if storage.is_upload_name(name) else None
    if content is None:
        raise NotFound()
    kind = storage.content_type(name)
    headers = {"Content-Disposition": 'attachment; filename="lab-report.pdf"'} if name.endswith(".pdf") else {}
    return Response(content, media_type=kind, headers=headers)
