"""Small helpers that write SVG, so that the drawings read as shapes and not as string formatting."""

Stops = list[tuple[float, str, float]]


def decimal(value: float) -> str:
    """As short as possible: one decimal from 10 on, three below."""
    return f"{value:.1f}".rstrip("0").rstrip(".") if abs(value) >= 10 else f"{value:.3f}".rstrip("0").rstrip(".")


def tag(name: str, body: str = "", /, **attributes: object) -> str:
    """One element; `stroke_width=2` becomes `stroke-width="2"`, `class_` becomes `class`, and None is left out."""
    written = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{decimal(value) if isinstance(value, int | float) else value}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{written}>{body}</{name}>" if body else f"<{name}{written}/>"


def d(*parts: object) -> str:
    """Path data from letters and numbers: d("M", x, y, "V", base)."""
    return " ".join(decimal(part) if isinstance(part, int | float) else str(part) for part in parts)


def polygon(points: list[tuple[float, float]]) -> str:
    """Path data of a closed polygon."""
    return "M" + "L".join(f"{decimal(x)} {decimal(y)}" for x, y in points) + "Z"


def path(data: str, fill: str = "none", **more: object) -> str:
    return tag("path", d=data, fill=fill, **more)


def stroke(data: str, color: str, width: float, **more: object) -> str:
    return tag("path", d=data, fill="none", stroke=color, stroke_width=width, **more)


def rect(x: float, y: float, width: float, height: float, fill: str, **more: object) -> str:
    return tag("rect", x=x, y=y, width=width, height=height, fill=fill, **more)


def circle(x: float, y: float, radius: float, fill: str, **more: object) -> str:
    return tag("circle", cx=x, cy=y, r=radius, fill=fill, **more)


def ellipse(x: float, y: float, rx: float, ry: float, fill: str, **more: object) -> str:
    return tag("ellipse", cx=x, cy=y, rx=rx, ry=ry, fill=fill, **more)


def group(body: str, **attributes: object) -> str:
    return tag("g", body, **attributes)


def frame(body: str, x: float, y: float, width: float, height: float) -> str:
    """A nested SVG element, which clips the drawing inside it."""
    box = f"0 0 {decimal(width)} {decimal(height)}"
    return tag("svg", body, x=x, y=y, width=width, height=height, viewBox=box, overflow="hidden")


def document(body: str, width: float, height: float, box: str | None = None) -> str:
    view = box or f"0 0 {decimal(width)} {decimal(height)}"
    return tag("svg", body, xmlns="http://www.w3.org/2000/svg", width=width, height=height, viewBox=view)


def linear_gradient(name: str, stops: Stops, down: bool = False) -> str:
    """From left to right or, with `down`, from top to bottom."""
    body = "".join(tag("stop", offset=at, stop_color=color, stop_opacity=alpha) for at, color, alpha in stops)
    return tag("linearGradient", body, id=name, x1=0, y1=0, x2=int(not down), y2=int(down))


def radial_gradient(name: str, stops: Stops, x: float = 0.4, y: float = 0.3, radius: float = 0.8) -> str:
    body = "".join(tag("stop", offset=at, stop_color=color, stop_opacity=alpha) for at, color, alpha in stops)
    return tag("radialGradient", body, id=name, cx=x, cy=y, r=radius)


def opaque(*stops: tuple[float, str]) -> Stops:
    return [(at, color, 1) for at, color in stops]


def shade(color: str, amount: float) -> str:
    """Below zero darkens, above zero lightens."""
    channels = [int(color[i : i + 2], 16) for i in (1, 3, 5)]
    return "#" + "".join(f"{round(c + ((255 - c) * amount if amount > 0 else c * amount)):02x}" for c in channels)


def leaf(x: float, y: float, length: float, width: float, angle: float, fill: str, **more: object) -> str:
    """A pointed leaf that grows upward from (x, y), turned by `angle` degrees."""
    h, w = length, width / 2
    outline = d("M 0 0 C", w, -h * 0.25, w, -h * 0.7, 0, -h, "C", -w, -h * 0.7, -w, -h * 0.25, "0 0 Z")
    return path(outline, fill, transform=f"translate({decimal(x)} {decimal(y)}) rotate({decimal(angle)})", **more)
