"""The REST application, mounted beside the pages."""

from typing import Any

from fastapi import APIRouter, Depends, FastAPI, Request

from marketplace_app.api import (
    access,
    account,
    addresses,
    admin,
    age,
    auth,
    cart,
    catalogue_answers,
    delivery,
    docs,
    driver,
    failures,
    health,
    invitations,
    legal_texts,
    orders,
    packages,
    preferences,
    products,
    recommendations,
    referral_links,
    referrals,
    saved,
    site,
    support,
    uploads,
)
from marketplace_app.api.deps import limit_requests
from marketplace_app.api.responses import invalid_input, problem
from marketplace_app.auth import cookies
from marketplace_app.config import get_settings
from marketplace_app.errors import MethodNotAllowed, NotFound


class Api(FastAPI):
    """FastAPI, whose documentation shows the store's own body of a 422 instead of FastAPI's."""

    def openapi(self) -> dict[str, Any]:
        if self.openapi_schema is None:
            document = super().openapi()
            operations = [operation for path in document["paths"].values() for operation in path.values()]
            for operation in operations:
                responses = operation["responses"]
                if "HTTPValidationError" in str(responses.get("422")):
                    responses["422"] = invalid_input()
            for unused in ("HTTPValidationError", "ValidationError"):
                document["components"]["schemas"].pop(unused, None)
        return super().openapi()


def make_api() -> FastAPI:
    settings = get_settings()
    app = Api(
        title=f"{settings.store_name} API",
        description="Everything the store's pages can do, over REST. Sign in with a browser at `/api/login`.",
        version="1",
        openapi_url="/api/openapi.json",
        docs_url=None,
        redoc_url=None,
        # FastAPI's own spans would contain paths, queries and the text of exceptions. `web/request_traces.py` records
        # spans without them.
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    app.state.catalogue_cache = catalogue_answers.make_cache()
    failures.install(app)
    app.add_middleware(cookies.SignInCookie)
    _include_routers(app)
    return app


def _include_routers(app: FastAPI) -> None:
    modules = (
        auth,
        age,
        products,
        cart,
        saved,
        delivery,
        orders,
        driver,
        referrals,
        preferences,
        recommendations,
        account,
        addresses,
        invitations,
        support,
        legal_texts,
        admin,
    )
    unknown = APIRouter()
    for path in ("/api/{path:path}", "/api"):
        unknown.add_api_route(path, _unknown, methods=[*access.METHODS], include_in_schema=False)
    app.include_router(health.router)
    app.include_router(docs.router)
    app.include_router(site.router)
    app.include_router(referral_links.router)
    app.include_router(uploads.router)
    app.include_router(packages.router)
    limited, too_many = [Depends(limit_requests)], problem(429)
    # Included one by one: matching through a router that contains them takes longer than most requests' own work.
    for router in (*(module.router for module in modules), saved.alerts):
        app.include_router(router, prefix="/api", dependencies=limited, responses=too_many)
    app.include_router(unknown, dependencies=limited)


def _unknown(request: Request) -> None:
    """405 for a path that has routes of other methods, else 404."""
    methods = access.methods_of(request.url.path)
    raise MethodNotAllowed(methods) if methods else NotFound()
