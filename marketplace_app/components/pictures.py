"""Product pictures in three widths, 4 : 5, and a drawn jar where there is none."""

import reflex as rx

WIDTHS = (320, 640, 960)


def _blank() -> rx.Component:
    return rx.el.svg(
        rx.el.path(d="M34 36h52v14H34zM30 54h60q6 0 6 8v52q0 8-8 8H32q-8 0-8-8V62q0-8 6-8zM24 78h72v26H24z"),
        view_box="0 0 120 150",
        class_name="icon absolute inset-0 size-full text-line-strong stroke-[1.2]",
        aria_hidden="true",
    )


def picture(
    stem: rx.Var[str], sizes: str, alt: rx.Var[str] | str = "", is_first: rx.Var[bool] | bool = False
) -> rx.Component:
    """`stem` is `/pictures/fern-hollow`; `sizes` is how wide it will be shown; `is_first` loads it at once."""
    is_first = rx.Var.create(is_first)
    return rx.cond(
        stem != "",
        rx.el.img(
            key=stem,  # never the picture of what stood in this place before
            src=f"{stem}-640.webp",
            src_set=", ".join(f"{stem}-{width}.webp {width}w" for width in WIDTHS),
            sizes=sizes,
            alt=alt,
            loading=rx.cond(is_first, "eager", "lazy"),
            decoding="async",
            custom_attrs={"width": "640", "height": "800"},
            class_name="photo size-full object-cover",
        ),
        _blank(),
    )


def thumbnail(stem: rx.Var[str], class_name: str = "w-19") -> rx.Component:
    return rx.el.span(
        picture(stem, "112px"),
        class_name=f"relative block aspect-4/5 flex-none overflow-hidden rounded-2 bg-sunken {class_name}",
    )
