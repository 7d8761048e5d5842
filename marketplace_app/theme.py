"""The visual language in one place: every colour, type step, size, shadow, motion and layer.

Components use only these names (`bg-paper`, `text-h2`, `rounded-2`, `z-(--z-header)`). Tailwind's own theme is not
imported, so nothing off the palette can slip in. Dark is `data-theme="dark"` on `<html>`, set before the first paint by
`assets/theme.js`, or on any element that differs from its page; a part that lies on the deep green ground in both themes
says `data-ground="deep"`.
"""

from marketplace_app.framework.stylesheet import CONFIGURATION, UTILITIES_IMPORT

LIGHT = {
    # grounds
    "paper": "#f6f4ee",
    "surface": "#fffefb",
    "sunken": "#eceae1",
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
    # conservatory green, and the one accent
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
    # the deep panel: hero, footer, admin rail
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
    # charts: six series in this order, then the rest
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
    "paper": "#0f1612",
    "surface": "#171f1a",
    "sunken": "#0a100d",
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
"""What the names mean on the deep ground, so that a component need not know where it lies."""

SHADOWS = {
    "rest": ("0 1px 2px rgb(28 33 24 / .06)", "none"),
    "lift": ("0 1px 2px rgb(28 33 24 / .06), 0 6px 20px -6px rgb(28 33 24 / .14)", "0 0 0 1px var(--line)"),
    "over": (
        "0 2px 6px rgb(28 33 24 / .08), 0 24px 56px -16px rgb(28 33 24 / .30)",
        "0 0 0 1px var(--line), 0 24px 60px rgb(0 0 0 / .6)",
    ),
}
PHOTO_FILTER = ("none", "brightness(.9)")

FONTS = {
    "serif": '"Brygada 1918 Variable", "Brygada Fallback", Georgia, serif',
    "sans": '"Instrument Sans Variable", "Instrument Fallback", system-ui, sans-serif',
}
FONT_FILES = {
    "Brygada 1918 Variable": "/fonts/brygada-1918-latin-wght-normal.woff2",
    "Instrument Sans Variable": "/fonts/instrument-sans-latin-wght-normal.woff2",
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

FALLBACK_FACES = """\
@font-face { font-family: "Brygada Fallback"; src: local("Georgia"), local("Gelasio"); size-adjust: 106.1%; ascent-override: 86.7%; descent-override: 23.6%; line-gap-override: 0%; }
@font-face { font-family: "Instrument Fallback"; src: local("Arial"), local("Liberation Sans"); size-adjust: 103.2%; ascent-override: 94%; descent-override: 24.2%; line-gap-override: 0%; }
"""

BASE = """\
@layer base {
  html { color-scheme: light; scroll-padding-top: calc(var(--header) + 1rem); }
  [data-theme] { color: var(--ink); }
  [data-theme="light"] { color-scheme: light; }
  [data-theme="dark"] { color-scheme: dark; }
  body { background: var(--paper); color: var(--ink); font: 400 1rem/1.55 var(--sans); -webkit-font-smoothing: antialiased; text-rendering: optimizeLegibility; }
  h1, h2, h3 { font-family: var(--serif); font-weight: 500; text-wrap: balance; }
  p { text-wrap: pretty; }
  button, [role="button"], summary { cursor: pointer; }
  :disabled, [aria-disabled="true"] { cursor: not-allowed; }
  ::placeholder { color: var(--ink-3); opacity: 1; }
  :focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; }
  main:focus, main h1:focus, [tabindex="-1"]:focus:not(:focus-visible) { outline: none; }
  [hidden] { display: none !important; }
  @media (pointer: fine) { [data-density="counter"] { --tap: 36px; } }
  @media (prefers-reduced-motion: reduce) {
    :root { --fast: 0ms; --mid: 0ms; --slow: 0ms; }
    *, ::before, ::after { animation-duration: 0ms !important; animation-iteration-count: 1 !important; scroll-behavior: auto !important; }
  }
}
"""

UTILITIES = """\
@custom-variant off (&:is(:disabled, [aria-disabled="true"]));
@custom-variant short (@media (height < 36rem));
@custom-variant wide (@media (width >= 64rem) and (aspect-ratio >= 5/4));
@utility shell { width: 100%; max-width: calc(var(--container-page) + 2 * var(--gutter)); margin-inline: auto; padding-inline: var(--gutter); }
@utility icon { flex: none; fill: none; stroke: currentColor; stroke-width: 1.6; stroke-linecap: round; stroke-linejoin: round; }
@utility skeleton {
  border-radius: var(--radius-1); background: linear-gradient(100deg, var(--skel) 40%, var(--skel-2) 50%, var(--skel) 60%) 0 0 / 300% 100%;
  animation: shimmer 1.4s linear infinite, appear 0s linear 150ms backwards;
}
@utility skeletons {
  /* One gleam over all of them, of the page's own color: a hundred bones that each shimmer are work for a phone. */
  position: relative; overflow: clip; animation: appear 0s linear 150ms backwards;
  & .skeleton { background: var(--skel); animation: none; }
  &::after {
    content: ""; position: absolute; inset: 0; translate: -100% 0; animation: sweep 1.4s linear infinite;
    background: linear-gradient(100deg, transparent 40%, color-mix(in srgb, var(--paper) 60%, transparent) 50%, transparent 60%);
  }
}
@utility hero-still {
  background: image-set(url("/hero/hero-poster.avif") type("image/avif"), url("/hero/hero-poster.webp") type("image/webp")) 94% 100% / cover no-repeat;
  @variant wide { background-position: 72% 100%; }
}
@utility hero-film {
  object-position: 94% 100%;
  @variant wide { object-position: 72% 100%; }
}
@utility steady {
  /* As wide as the wider of its two texts, whichever is shown: both stand there unseen. */
  display: inline-grid; place-items: center;
  &::before, &::after { visibility: hidden; height: 0; overflow: hidden; }
  &::before { content: attr(data-idle); }
  &::after { content: attr(data-pending); padding-left: 1.5rem; }
}
@utility photo { filter: var(--photo); }
@utility scrollbar-thin { scrollbar-width: thin; scrollbar-color: var(--line) transparent; }
@utility scrollbar-none { scrollbar-width: none; &::-webkit-scrollbar { display: none; } }
@utility stretched { &::after { content: ""; position: absolute; inset: 0; } }
"""

RULES = """\
/* Who is here is known only after the socket has answered; a hint read before paint chooses until then. */
html[data-signed-in] [data-until-known="guest"], html:not([data-signed-in]) [data-until-known="member"] { display: none !important; }
/* So does the address, for the shape of what is about to come, until the page's own code reads it. */
html[data-view="list"] [data-until-alive="grid"], html:not([data-view="list"]) [data-until-alive="list"] { display: none !important; }
:is([data-over-hero="yes"], html:not([data-signed-in]) [data-over-hero="maybe"]) { position: absolute; inset-inline: 0; background: none; border-color: transparent; }
#toasts { position: fixed; inset: auto 0 0 auto; width: 0; height: 0; padding: 0; border: 0; overflow: visible; background: none; --width: 380px; }
#toasts [data-sonner-toaster] { font-family: inherit; }
#toasts [data-sonner-toast] { pointer-events: auto; }
/* What is said at the foot stays clear of the buttons there: of the cart, of the other panels, of the checkout on a phone. */
body:has([role="dialog"][data-state="open"]) #toasts [data-sonner-toaster] { bottom: 6rem; }
body:has([role="dialog"][data-shape="drawer"][data-state="open"]) #toasts [data-sonner-toaster] { bottom: min(22rem, 100svh - 11rem); }
@media (width >= 64rem) { body:has([role="dialog"][data-shape="drawer"][data-state="open"]) #toasts [data-sonner-toaster] { right: calc(var(--container-drawer) + 1.5rem); bottom: 1.5rem; } }
body:has([role="dialog"][data-shape="wide"][data-state="open"]) #toasts [data-sonner-toaster] { bottom: 6rem; }
@media (width >= 64rem) { body:has([role="dialog"][data-shape="wide"][data-state="open"]) #toasts [data-sonner-toaster] { right: auto; left: 1.5rem; bottom: 1.5rem; } }
@media (width < 64rem) { body:has([data-foot-bar]):not(:has([role="dialog"][data-state="open"])) :is(#toasts [data-sonner-toaster], #offline) { bottom: 6rem; } }
html[data-panel] #offline { bottom: 14rem; }
@media (width < 64rem) { html[data-panel] body:not(:has([role="dialog"][data-state="open"])) #toasts [data-sonner-toaster] { bottom: 14rem; } }
@media (width < 64rem) { html[data-panel] body:has([data-foot-bar]):not(:has([role="dialog"][data-state="open"])) :is(#toasts [data-sonner-toaster], #offline) { bottom: 19rem; } }
dialog.gate::backdrop { background: rgb(10 20 14 / .78); }
"""

KEYFRAMES = """\
@keyframes shimmer { from { background-position: 100% 0; } to { background-position: 0 0; } }
@keyframes sweep { to { translate: 100% 0; } }
@keyframes appear { from { opacity: 0; } to { opacity: 1; } }
@keyframes spin { to { rotate: 360deg; } }
@keyframes fade-in { from { opacity: 0; } }
@keyframes fade-out { to { opacity: 0; } }
@keyframes from-right { from { translate: 100% 0; } }
@keyframes to-right { to { translate: 100% 0; } }
@keyframes from-below { from { translate: 0 100%; } }
@keyframes to-below { to { translate: 0 100%; } }
@keyframes rise { from { opacity: 0; translate: 0 8px; } }
"""

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


def _declare(values: dict[str, str]) -> str:
    return " ".join(f"--{name}: {value};" for name, value in values.items())


def _font_faces() -> str:
    return FALLBACK_FACES + "".join(
        f'@font-face {{ font-family: "{name}"; src: url("{file}") format("woff2"); font-weight: 400 700; font-display: swap; }}\n'
        for name, file in FONT_FILES.items()
    )


def _variables() -> str:
    """The names of the palette themselves: light on the root, dark and deep where they are asked for."""
    light_shadows = {f"shadow-{name}": light for name, (light, _) in SHADOWS.items()}
    dark_shadows = {f"shadow-{name}": dark for name, (_, dark) in SHADOWS.items()}
    layers = {f"z-{name}": str(level) for name, level in LAYERS.items()}
    light = {**LIGHT, **light_shadows, "photo": PHOTO_FILTER[0]}
    dark = {**DARK, **dark_shadows, "photo": PHOTO_FILTER[1]}
    deep = ':is([data-ground="deep"], [data-over-hero="yes"], html:not([data-signed-in]) [data-over-hero="maybe"])'
    return (
        "@layer base {\n"
        f"  :root {{ {_declare({**FONTS, **SIZES, **layers, **DURATIONS})} }}\n"
        f'  :root, [data-theme="light"] {{ {_declare(light)} }}\n'
        f'  [data-theme="dark"] {{ {_declare(dark)} }}\n'
        f"  {deep} {{ {_declare(ON_DEEP)} color: var(--ink); }}\n"
        "}\n"
    )


def _tailwind_theme() -> str:
    """The same names for Tailwind, inline, so that a utility follows the ground it lies on."""
    type_steps = {
        f"text-{step}{part}": value
        for step, values in TYPE.items()
        for part, value in zip(("", "--line-height", "--letter-spacing"), values, strict=True)
    }
    theme = {
        **{f"color-{name}": f"var(--{name})" for name in LIGHT},
        **{f"font-{name}": f"var(--{name})" for name in FONTS},
        **{f"font-weight-{name}": str(weight) for name, weight in WEIGHTS.items()},
        **type_steps,
        **{f"shadow-{name}": f"var(--shadow-{name})" for name in SHADOWS},
        **{f"breakpoint-{name}": value for name, value in BREAKPOINTS.items()},
        **{f"animate-{name}": value for name, value in ANIMATIONS.items()},
        "ease-calm": EASE,
        "spacing": ".25rem",
        "default-font-family": "var(--sans)",
        "default-transition-duration": "var(--fast)",
        "default-transition-timing-function": EASE,
    }
    fixed = {
        **{f"container-{name}": value for name, value in CONTAINERS.items()},
        **{f"radius-{name}": value for name, value in RADII.items()},
    }
    return f"@theme inline {{ {_declare(theme)} }}\n@theme static {{ {_declare(fixed)} }}\n"


def stylesheet() -> str:
    return "".join(
        [
            "@layer theme, base, components, utilities;\n",
            '@import "tailwindcss/preflight.css" layer(base);\n',
            UTILITIES_IMPORT,
            CONFIGURATION,
            _font_faces(),
            _tailwind_theme(),
            _variables(),
            BASE,
            UTILITIES,
            KEYFRAMES,
            RULES,
        ]
    )
