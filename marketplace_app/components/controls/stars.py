"""Ratings. The figures beside the stars carry the meaning; the stars are hidden from assistive technology."""

import reflex as rx

from marketplace_app.messages import NO_REVIEWS

_STAR = "M10 1.8l2.5 5.2 5.7.8-4.1 4 1 5.7L10 14.8l-5.1 2.7 1-5.7-4.1-4 5.7-.8z"


def _star(class_name: rx.Var[str] | str) -> rx.Component:
    return rx.el.svg(
        rx.el.path(d=_STAR),
        view_box="0 0 20 20",
        class_name=["size-[15px] fill-current", class_name],
        aria_hidden="true",
    )


def five_stars(filled: rx.vars.NumberVar[int], text: rx.Var[str]) -> rx.Component:
    """Filled up to the floor of the rating, with `4.8 (214 reviews)` beside them; no stars without a rating."""
    stars = [_star(rx.cond(filled >= number, "text-amber", "text-star-off")) for number in range(1, 6)]
    return rx.el.p(
        rx.cond(text != "", rx.el.span(*stars, class_name="flex gap-px", aria_hidden="true")),
        rx.el.span(rx.cond(text != "", text, NO_REVIEWS), class_name="text-small text-ink-2 tabular-nums"),
        class_name="flex items-center gap-2.5",
    )


def rating(value: rx.Var[str], reviews: rx.Var[str]) -> rx.Component:
    """One star and `4.8 (214)`, for a card; no star without a rating."""
    rated = rx.el.span(
        _star("text-amber"),
        rx.el.span(f"{value} ({reviews})", aria_hidden="true"),
        rx.el.span(
            f"Rated {value} of 5, {reviews} ", rx.cond(reviews == "1", "review", "reviews"), class_name="sr-only"
        ),
        class_name="inline-flex items-center gap-1 text-cap text-ink-2 tabular-nums",
    )
    return rx.cond(reviews == "0", rx.el.span(NO_REVIEWS, class_name="text-cap text-ink-3"), rated)
