"""The visual language in one place: `tokens.py` has the values, the `.css` files the rules.

Components use only these names (`bg-paper`, `text-h2`, `rounded-2`, `z-(--z-header)`). Tailwind's own theme is not
imported, so nothing off the palette can slip in. Dark is `data-theme="dark"` on `<html>`, set before the first paint by
`assets/theme.js`, or on any element that differs from its page; a part that lies on the deep green ground in both
themes says `data-ground="deep"`.
"""
