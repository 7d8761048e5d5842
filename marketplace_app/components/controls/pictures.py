"""Product pictures, 4 : 5: photographs in three widths, and drawn packages, which need only one."""

from html import escape

import reflex as rx

from marketplace_app.limits import PICTURE_WIDTHS
from marketplace_app.packaging import PACKAGES_PREFIX, is_drawn, picture_url

# Approximate, but precise enough to select the right file; and short, because the browser parses `sizes` for each
# picture again. On a phone they are a little smaller than the exact widths, 46vw for a card and 92vw for a product:
# with those, a common model (412 pixels, density 1.75) needed a few percent more pixels than a file has, and fetched
# the next larger file, with at least 50 % more bytes.
CARD_SIZES = "(min-width: 40rem) 300px, 44vw"
PRODUCT_SIZES = "(min-width: 84rem) 640px, (min-width: 40rem) 46vw, 88vw"
FIRST_PICTURES = 4
"""How many pictures of a list are on the screen before anybody scrolls: these are fetched eagerly."""


def picture_url_var(source: rx.vars.StringVar[str]) -> rx.Var[str]:
    """`picture_url` of a picture that only the browser knows."""
    return rx.cond(source.startswith(PACKAGES_PREFIX), source, f"{source}-640.webp")


def picture(
    source: rx.vars.StringVar[str], sizes: str, alt: rx.Var[str] | str = "", is_eager: rx.Var[bool] | bool = False
) -> rx.Component:
    """`source` is a photograph's stem, `/pictures/fern-hollow`, or the URL of a drawn package; empty shows nothing.

    `sizes` is how wide the picture will be; `is_eager`: it is fetched at once, not only when it comes near the screen.
    """
    return rx.cond(
        source != "",
        rx.el.img(
            key=source,  # a new element for a new picture, so that the previous one is never shown
            src=picture_url_var(source),
            src_set=rx.cond(source.startswith(PACKAGES_PREFIX), "", _srcset_of_photograph(source)),
            sizes=sizes,
            alt=alt,
            loading=rx.cond(rx.Var.create(is_eager), "eager", "lazy"),
            decoding="async",
            custom_attrs={"width": "640", "height": "800"},
            class_name="photo size-full object-cover",
        ),
    )


def picture_html(source: str, sizes: str, *, is_first: bool = True) -> str:
    """The same file as `picture` loads, for a page that is completed when it is served.

    All but the first one are asked for once the page has been laid out, so that its style and fonts come before them.
    """
    order = 'fetchpriority="high"' if is_first else 'fetchpriority="low" loading="lazy"'
    # With `src` first, a browser may begin to fetch it before it has read `srcset`.
    return (
        f'<img alt="" class="photo size-full object-cover" decoding="async" {order} '
        f'sizes="{escape(sizes)}" srcset="{escape(_srcset(source))}" src="{escape(picture_url(source))}">'
    )


def picture_preload(source: str, sizes: str) -> str:
    """The value of a `Link` header with which a browser fetches what `picture_html` shows before it reads the page."""
    url = f'<{picture_url(source)}>; rel="preload"; as="image"; fetchpriority="high"'
    srcset = _srcset(source)
    return f'{url}; imagesrcset="{srcset}"; imagesizes="{sizes}"' if srcset else url


def _srcset(source: str) -> str:
    return "" if is_drawn(source) else _srcset_of_photograph(source)


def _srcset_of_photograph(stem: rx.Var[str] | str) -> str:
    return ", ".join(f"{stem}-{width}.webp {width}w" for width in PICTURE_WIDTHS)


def thumbnail(source: rx.vars.StringVar[str], class_name: str = "w-19") -> rx.Component:
    return rx.el.span(
        picture(source, "112px"),
        class_name=f"relative block aspect-4/5 flex-none overflow-hidden rounded-2 bg-sunken {class_name}",
    )
