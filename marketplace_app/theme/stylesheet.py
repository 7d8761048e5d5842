"""Puts the stylesheet together from the tokens and the `.css` files."""

from pathlib import Path

from marketplace_app.framework.stylesheet import CONFIGURATION, UTILITIES_IMPORT
from marketplace_app.theme.font_faces import font_faces
from marketplace_app.theme.tokens import (
    ANIMATIONS,
    BREAKPOINTS,
    CONTAINERS,
    DARK,
    DURATIONS,
    EASE,
    FONTS,
    LAYERS,
    LIGHT,
    ON_DEEP,
    PHOTO_FILTER,
    RADII,
    SHADOWS,
    SIZES,
    TYPE,
    WEIGHTS,
)


def _css(name: str) -> str:
    return (Path(__file__).parent / f"{name}.css").read_text()


def _declare(values: dict[str, str]) -> str:
    return " ".join(f"--{name}: {value};" for name, value in values.items())


def _variables() -> str:
    """The tokens as CSS variables: the light theme's on the root; on elements that ask for them, the dark theme's or
    those for a deep ground, such as the footer's or that of the header over the landing page's film."""
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
    """The same names for Tailwind, inline, so that utilities follow the theme of the element they are used on."""
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
            _css("fallback_faces") + font_faces(),
            _tailwind_theme(),
            _variables(),
            _css("base"),
            _css("utilities"),
            _css("keyframes"),
            _css("rules"),
        ]
    )
