"""A product page as served: with its title, description, preview and structured data.

For members, the page's loading skeleton has the product's picture too. Pages are built once, without data; that of
`/product/{id}` is the same for all products. The catalogue is public (RULE public-catalogue): nothing private can leak
here.
"""

import re
from html import escape
from typing import Any

import orjson
from starlette.responses import HTMLResponse, Response
from starlette.types import Scope

from marketplace_app import db, money
from marketplace_app.components.controls.pictures import PRODUCT_SIZES
from marketplace_app.config import get_settings
from marketplace_app.errors import NotFound, StoreError
from marketplace_app.framework import built_pages
from marketplace_app.packaging import is_drawn
from marketplace_app.schemas.products.products import ProductView
from marketplace_app.services.products import products
from marketplace_app.web.completed_pages import CompletedPage
from marketplace_app.web.first_pictures import is_member, preload, with_pictures
from marketplace_app.web.headers import page_file

PRODUCT_PATH = re.compile(r"/product/([0-9]{1,9})/?")


def _is_requested(scope: Scope) -> bool:
    return PRODUCT_PATH.fullmatch(scope["path"]) is not None


def _complete(scope: Scope) -> Response | None:
    file, match = page_file(scope["path"]), PRODUCT_PATH.fullmatch(scope["path"])
    if file is None or match is None:
        return None
    built, product_id = file.read_text(), int(match[1])
    try:
        detail = db.read(lambda session: products.get(session, None, product_id))
    except NotFound:
        return HTMLResponse(built, 404)
    except StoreError:
        return HTMLResponse(built)
    page = with_product(built, detail.product)
    if not is_member(scope):
        return HTMLResponse(page)
    pictures = [detail.product.image]
    return HTMLResponse(with_pictures(page, pictures, PRODUCT_SIZES), headers=preload(pictures, PRODUCT_SIZES))


def with_product(page: str, product: ProductView) -> str:
    """The built page, which has no title of its own, with the product's metadata."""
    return built_pages.with_head(page, _head(product))


def _head(product: ProductView) -> str:
    settings = get_settings()
    title = f"{product.name} · {settings.store_name}"
    url = f"{settings.public_url}/product/{product.id}"
    image = settings.public_url + _preview_picture(product.image)
    properties = {
        "og:type": "product",
        "og:site_name": settings.store_name,
        "og:title": title,
        "og:description": product.description,
        "og:url": url,
        "og:image": image,
    }
    tags = [f"<title>{escape(title)}</title>", f'<meta name="description" content="{escape(product.description)}">']
    tags += [f'<meta property="{name}" content="{escape(value)}">' for name, value in properties.items()]
    tags += [f'<link rel="canonical" href="{escape(url)}">']
    # Browsers run nothing of this type. With "<" escaped, no text in it can end the element.
    data = orjson.dumps(_structured(product, url, image)).decode().replace("<", "\\u003c")
    return "".join([*tags, f'<script type="application/ld+json">{data}</script>'])


def _preview_picture(picture: str) -> str:
    """The picture of link previews. A drawn package is an SVG, which most programs that show previews cannot read."""
    return "/social.jpg" if is_drawn(picture) else f"{picture}-960.webp"


def _structured(product: ProductView, url: str, image: str) -> dict[str, Any]:
    """schema.org's Product."""
    stock = "InStock" if product.in_stock else "OutOfStock"
    described: dict[str, Any] = {
        "@context": "https://schema.org",
        "@type": "Product",
        "name": product.name,
        "description": product.description,
        "sku": product.sku,
        "category": product.category,
        "image": image,
        "url": url,
        "offers": {
            "@type": "Offer",
            "price": money.decimal(product.price_cents),
            "priceCurrency": "USD",
            "availability": f"https://schema.org/{stock}",
            "url": url,
        },
    }
    if product.brand:
        described["brand"] = {"@type": "Brand", "name": product.brand}
    if product.review_count:
        rating = {"ratingValue": product.rating, "reviewCount": product.review_count}
        described["aggregateRating"] = {"@type": "AggregateRating", **rating}
    return described


PRODUCT_PAGES = CompletedPage(_is_requested, _complete)
