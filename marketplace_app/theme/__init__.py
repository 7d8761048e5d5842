"""The design: `tokens.py` has the values, the `.css` files the rules.

Components use only these names (`bg-paper`, `text-h2`, `rounded-2`, `z-(--z-header)`). Tailwind's own theme is not
imported, so other colours and sizes do not exist. The dark theme is `data-theme="dark"` on `<html>`, set before the
first paint by `assets/theme.js`, or on any element that differs from its page. An element with the deep green
background in both themes has `data-ground="deep"`.
"""
