"""`robots.txt` and the sitemap."""

from fastapi.testclient import TestClient
from sqlmodel import Session

from tests.builders import make_product


def test_robots_and_sitemap_list_public_pages_only(client: TestClient, session: Session) -> None:
    product = make_product(session)
    hidden = make_product(session, "Gone", is_active=False)
    session.commit()
    robots = client.get("/robots.txt").text
    for path in ("/account", "/checkout", "/admin", "/api/"):
        assert f"Disallow: {path}\n" in robots
    assert "Sitemap: http://localhost:8000/sitemap.xml" in robots
    sitemap = client.get("/sitemap.xml").text
    assert f"<loc>http://localhost:8000/product/{product.id}</loc>" in sitemap
    assert f"/product/{hidden.id}<" not in sitemap
