"""`robots.txt`, the sitemap, and redirects."""

from xml.sax.saxutils import escape

from fastapi import APIRouter, Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response

from marketplace_app import db
from marketplace_app.config import get_settings
from marketplace_app.services.products import products

router = APIRouter(include_in_schema=False)

PRIVATE_PATHS = (
    "/account",
    "/admin",
    "/api/",
    "/checkout",
    "/dev/",
    "/drive",
    "/invite/",
    "/orders/",
    "/preferences",
    "/r/",
    "/support",
    "/welcome",
)
PUBLIC_PATHS = ("/", "/faq", "/shipping", "/returns", "/privacy", "/terms", "/lab-results", "/compliance")
CACHE_ONE_HOUR = {"Cache-Control": "public, max-age=3600"}


@router.get("/robots.txt")
def robots() -> Response:
    lines = ["User-agent: *", *(f"Disallow: {path}" for path in PRIVATE_PATHS)]
    lines.append(f"Sitemap: {get_settings().public_url}/sitemap.xml")
    return PlainTextResponse("\n".join(lines) + "\n", headers=CACHE_ONE_HOUR)


@router.get("/sitemap.xml")
def sitemap() -> Response:
    base = get_settings().public_url
    pages = [f"<url><loc>{escape(base + path)}</loc></url>" for path in PUBLIC_PATHS]
    pages += [
        f"<url><loc>{base}/product/{number}</loc><lastmod>{changed:%Y-%m-%d}</lastmod></url>"
        for number, changed in db.read(products.list_sitemap_entries)
    ]
    body = '<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">'
    return Response(f"{body}{''.join(pages)}</urlset>", media_type="application/xml", headers=CACHE_ONE_HOUR)


@router.get("/admin/orders")
@router.get("/admin/users")
def open_tab(request: Request) -> Response:
    """These lists are tabs of `/admin`; their filters stay in the URL."""
    tab, query = request.url.path.rpartition("/")[2], request.url.query
    return RedirectResponse(f"/admin?tab={tab}&{query}" if query else f"/admin?tab={tab}", 302)
