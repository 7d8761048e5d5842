"""Product pictures, 4 : 5: photographs in three widths, and drawn packages, which need only one."""

import reflex as rx

from marketplace_app.packaging import FOLDER

WIDTHS = (320, 640, 960)


def picture(
    shown_by: rx.vars.StringVar[str], sizes: str, alt: rx.Var[str] | str = "", is_first: rx.Var[bool] | bool = False
) -> rx.Component:
    """`shown_by` is a photograph's stem, `/pictures/fern-hollow`, or the address of a drawn package; until it is known,
    nothing is shown. `sizes` is how wide the picture will be; `is_first` loads it at once.
    """
    is_drawn = shown_by.startswith(FOLDER)
    photographs = ", ".join(f"{shown_by}-{width}.webp {width}w" for width in WIDTHS)
    return rx.cond(
        shown_by != "",
        rx.el.img(
            key=shown_by,  # a new element for a new picture, so that the previous one is never shown
            src=rx.cond(is_drawn, shown_by, f"{shown_by}-640.webp"),
            src_set=rx.cond(is_drawn, "", photographs),
            sizes=sizes,
            alt=alt,
            loading=rx.cond(rx.Var.create(is_first), "eager", "lazy"),
            decoding="async",
            custom_attrs={"width": "640", "height": "800"},
            class_name="photo size-full object-cover",
        ),
    )


def thumbnail(shown_by: rx.vars.StringVar[str], class_name: str = "w-19") -> rx.Component:
    return rx.el.span(
        picture(shown_by, "112px"),
        class_name=f"relative block aspect-4/5 flex-none overflow-hidden rounded-2 bg-sunken {class_name}",
    )
