"""The one file of a request, in a form or as its body."""

import pytest
from fastapi.testclient import TestClient
from sqlmodel import Session

from marketplace_app.api.admin.upload_body import NO_FILE
from marketplace_app.models import Role
from tests.builders import make_product, make_user
from tests.conftest import ON_SQLITE, Cast, SignIn

FORM = "multipart/form-data"
UPLOADS = {
    "/api/admin/invitations/import": "POST",
    "/api/admin/products/import": "POST",
    "/api/admin/products/{product_id}/image": "PUT",
    "/api/admin/products/{product_id}/lab-report/pdf": "PUT",
}
pytestmark = ON_SQLITE


def test_these_are_all_routes_that_take_a_file(client: TestClient) -> None:
    document = client.get("/api/openapi.json").json()
    taking = {
        path: method.upper()
        for path, routes in document["paths"].items()
        for method, route in routes.items()
        if FORM in route.get("requestBody", {}).get("content", {})
    }
    assert taking == UPLOADS


@pytest.mark.parametrize("path", UPLOADS)
def test_a_user_who_may_not_upload_is_refused_whatever_was_sent(
    as_user: SignIn, session: Session, cast: Cast, path: str
) -> None:
    """Before a file is read: a request without any would else be told that one is missing."""
    product = make_product(session, "Fern Hollow")
    viewer = make_user(session, "vera", role=Role.VIEWER)
    session.commit()
    url = path.format(product_id=product.id)
    assert as_user(viewer).request(UPLOADS[path], url).status_code == 403
    assert as_user(cast.ada).request(UPLOADS[path], url).status_code == 422


@pytest.mark.parametrize(
    "sent",
    [
        {"files": [("file", ("one.csv", b"email\n")), ("other", ("two.csv", b"email\n"))]},
        {"files": {"file": ("one.csv", b"email\n")}, "data": dict.fromkeys("abcde", "x")},
        {"content": b"no boundary in it", "headers": {"Content-Type": f"{FORM}; boundary=x"}},
        {"content": b"", "headers": {"Content-Type": FORM.upper()}},
    ],
    ids=["two files", "five fields beside it", "no form", "nothing, in capitals"],
)
def test_a_form_with_anything_but_one_file_is_refused(as_user: SignIn, cast: Cast, sent: dict[str, object]) -> None:
    answer = as_user(cast.ada).post("/api/admin/invitations/import", **sent)
    assert (answer.status_code, answer.json().get("fields")) == (422, {"file": NO_FILE})
