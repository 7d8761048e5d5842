"""Every colour, font size, length, shadow, animation and z-index, by the name that components use."""

LIGHT = {
    # backgrounds and lines
    "paper": "#f6f4ee",
    "surface": "#fffefb",
    "sunken": "#eceae1",
    "row-hover": "#f4f2eb",
    "wash": "#e6ece4",
    "off": "#eceae1",
    "skel": "#e8e5db",
    "skel-2": "#f1efe8",
    "line": "#dcd9ce",
    "line-strong": "#868b80",
    # text
    "ink": "#16211a",
    "ink-2": "#47534a",
    "ink-3": "#5f6a61",
    "ink-off": "#9a9f95",
    # the brand's green, and the one accent colour
    "brand": "#1f4a35",
    "brand-hover": "#17392a",
    "brand-press": "#0f291d",
    "on-brand": "#f8f5ea",
    "brand-text": "#1f4a35",
    "amber": "#e5a43b",
    "amber-hover": "#d8952a",
    "on-amber": "#2a1a04",
    "amber-text": "#86500b",
    "amber-wash": "#f8ecd2",
    # the deep green background: hero, footer, navigation rail of the admin pages
    "deep": "#11251a",
    "deep-2": "#1b3626",
    "deep-line": "#365242",
    "on-deep": "#f3f0e4",
    "on-deep-2": "#b6c4b5",
    "on-deep-3": "#8ba08f",
    # feedback
    "ok": "#1b643f",
    "ok-wash": "#e1efe4",
    "warn": "#7a5104",
    "warn-wash": "#faefd0",
    "bad": "#a1281d",
    "bad-wash": "#fae7e2",
    "bad-hover": "#86190f",
    "on-bad": "#fff8f5",
    "note": "#1f5480",
    "note-wash": "#e2edf5",
    # badges: text and wash
    "green-t": "#1b5e3c",
    "green-w": "#deecdf",
    "purple-t": "#5b3a82",
    "purple-w": "#ece4f3",
    "orange-t": "#8c430c",
    "orange-w": "#fae6d3",
    "blue-t": "#1f5480",
    "blue-w": "#dfeaf3",
    "grey-t": "#4c544d",
    "grey-w": "#e6e6df",
    "yellow-t": "#6d4e00",
    "yellow-w": "#f8ebbd",
    "red-t": "#98241a",
    "red-w": "#f9e0da",
    # charts: six series in this order, and c0 for what is not among them
    "c1": "#1f4727",
    "c2": "#d27a0d",
    "c3": "#316193",
    "c4": "#4c125b",
    "c5": "#a45836",
    "c6": "#7b9c85",
    "c0": "#b9b9ad",
    "grid": "#e4e1d7",
    "star-off": "#cfccc0",
    "scrim": "rgb(13 24 17 / .48)",
    "focus": "#1f4a35",
}

DARK = {
    # only what differs from LIGHT
    "paper": "#0f1612",
    "surface": "#171f1a",
    "sunken": "#0a100d",
    "row-hover": "#0f1612",
    "wash": "#1e3026",
    "off": "#1c2520",
    "skel": "#1c2620",
    "skel-2": "#26322b",
    "line": "#2b362f",
    "line-strong": "#6d7a71",
    "ink": "#eeeee4",
    "ink-2": "#b1bbb1",
    "ink-3": "#909c92",
    "ink-off": "#5f6a62",
    "brand": "#93c9a6",
    "brand-hover": "#a8d6b8",
    "brand-press": "#7db692",
    "on-brand": "#0c1b12",
    "brand-text": "#9fd0b0",
    "amber-hover": "#f0b553",
    "amber-text": "#edb65e",
    "amber-wash": "#33270f",
    "deep": "#0b120e",
    "deep-2": "#14201a",
    "deep-line": "#2d3e34",
    "ok": "#8fd0a5",
    "ok-wash": "#16301f",
    "warn": "#ecc36a",
    "warn-wash": "#322710",
    "bad": "#f2a394",
    "bad-wash": "#3a1a15",
    "bad-hover": "#f7b9ad",
    "on-bad": "#2b0b06",
    "note": "#9cc6e6",
    "note-wash": "#15293a",
    "green-t": "#9ad3ac",
    "green-w": "#18331f",
    "purple-t": "#cdb4e8",
    "purple-w": "#2e2440",
    "orange-t": "#f3b482",
    "orange-w": "#3b2413",
    "blue-t": "#9fc8e8",
    "blue-w": "#172c3e",
    "grey-t": "#bcc3bb",
    "grey-w": "#2a312c",
    "yellow-t": "#ecc96e",
    "yellow-w": "#332a10",
    "red-t": "#f4a99b",
    "red-w": "#3d1c17",
    "c1": "#46a48a",
    "c2": "#ecb345",
    "c3": "#4d6995",
    "c4": "#b297f1",
    "c5": "#b64e10",
    "c6": "#d8e1cc",
    "c0": "#5d665f",
    "grid": "#253029",
    "star-off": "#3d4840",
    "scrim": "rgb(3 6 4 / .66)",
    "focus": "#e5a43b",
}

ON_DEEP = {
    "paper": "var(--deep)",
    "surface": "var(--deep-2)",
    "wash": "rgb(243 240 228 / .1)",
    "line": "var(--deep-line)",
    "line-strong": "var(--on-deep-3)",
    "ink": "var(--on-deep)",
    "ink-2": "var(--on-deep-2)",
    "ink-3": "var(--on-deep-2)",
    "brand": "var(--on-deep)",
    "brand-hover": "#fffefb",
    "brand-press": "#dcd9ce",
    "on-brand": "#16211a",
    "brand-text": "var(--on-deep)",
    "focus": "var(--amber)",
}
"""What differs on the deep green background, so that components use the same names on every background."""

SHADOWS = {
    "rest": ("0 1px 2px rgb(28 33 24 / .06)", "none"),
    "lift": ("0 1px 2px rgb(28 33 24 / .06), 0 6px 20px -6px rgb(28 33 24 / .14)", "0 0 0 1px var(--line)"),
    "over": (
        "0 2px 6px rgb(28 33 24 / .08), 0 24px 56px -16px rgb(28 33 24 / .30)",
        "0 0 0 1px var(--line), 0 24px 60px rgb(0 0 0 / .6)",
    ),
}
"""Each for the light theme and for the dark theme."""

PHOTO_FILTER = ("none", "brightness(.9)")
"""For the light theme and for the dark theme."""

FONTS = {
    "serif": '"Brygada 1918 Variable", "Brygada Fallback", Georgia, serif',
    "sans": '"Instrument Sans Variable", "Instrument Fallback", system-ui, sans-serif',
}

TYPE = {
    # step: size, line height, tracking
    "display": ("clamp(2.75rem, 2.2rem + 1.9vw, 4.25rem)", "1.02", "-0.02em"),
    "h1": ("clamp(1.875rem, 1.6rem + 1.1vw, 2.5rem)", "1.1", "-0.015em"),
    "name": ("clamp(2.25rem, 1.9rem + 1.1vw, 2.75rem)", "1.1", "-0.015em"),
    "title": ("2rem", "1.15", "-0.015em"),
    "h2": ("1.625rem", "1.2", "-0.01em"),
    "h3": ("1.25rem", "1.3", "-0.01em"),
    "sub": ("1.0625rem", "1.3", "0"),
    "lead": ("1.125rem", "1.55", "0"),
    "body": ("1rem", "1.55", "0"),
    "ui": (".9375rem", "1.4", "0"),
    "small": (".875rem", "1.45", "0"),
    "cap": (".8125rem", "1.4", "0"),
    "over": (".75rem", "1.3", ".08em"),
    "count": (".6875rem", "1.125rem", "0"),
}

SIZES = {
    "gutter": "clamp(1rem, 4vw, 2.5rem)",
    "header": "64px",
    "tap": "44px",
}

LAYERS = {"sticky": 20, "header": 30, "scrim": 40, "drawer": 50, "dialog": 60, "menu": 70, "toast": 80, "gate": 90}

RADII = {"1": "3px", "2": "6px", "3": "10px"}

BREAKPOINTS = {
    "xs": "22.5rem",
    "sm": "40rem",
    "md": "48rem",
    "lg": "64rem",
    "xl": "80rem",
    "2xl": "96rem",
    "3xl": "120rem",
}

CONTAINERS = {
    "page": "84rem",
    "measure": "40rem",
    "text": "34rem",
    "drawer": "27.5rem",
    "menu": "21.25rem",
    "gate": "53.75rem",
    "orders": "52rem",
    "account": "57rem",
    "order": "45rem",
}

WEIGHTS = {"normal": 400, "medium": 500, "strong": 550, "semibold": 600}

EASE = "cubic-bezier(.2, .7, .2, 1)"

DURATIONS = {"fast": "120ms", "mid": "220ms", "slow": "360ms"}

ANIMATIONS = {
    "spin": "spin .8s linear infinite",
    "fade-in": f"fade-in var(--mid) {EASE}",
    "fade-out": f"fade-out var(--mid) {EASE} forwards",
    "drawer-in": f"from-right var(--slow) {EASE}",
    "drawer-out": f"to-right var(--mid) {EASE} forwards",
    "sheet-in": f"from-below var(--slow) {EASE}",
    "sheet-out": f"to-below var(--mid) {EASE} forwards",
    "rise": f"rise var(--mid) {EASE}",
}
