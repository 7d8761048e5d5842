"""The caller's own account: exporting its data, deleting it."""

import orjson
from fastapi import APIRouter
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.auth import cookies
from marketplace_app.messages import ACCOUNT_DELETED
from marketplace_app.schemas.account.accounts import ExportAnswer, MessageAnswer
from marketplace_app.services import privacy

router = APIRouter(tags=["Account"])


@router.get("/account/export", response_model=ExportAnswer, responses=problem(401))
def export(caller: CallerDep) -> Response:
    """Everything the store keeps about the caller, as a file."""
    body = orjson.dumps(caller.read(privacy.export), option=orjson.OPT_INDENT_2)
    headers = {"Content-Disposition": 'attachment; filename="my-data.json"'}
    return Response(body, headers=headers, media_type="application/json")


@router.delete("/auth/delete-account", response_model=MessageAnswer, responses=problem(401, 409))
def delete_account(caller: CallerDep) -> Response:
    """Permanently erases the caller's account. Refused while an order is out for delivery."""
    caller.write(privacy.erase)
    response = Json({"message": ACCOUNT_DELETED.title})
    cookies.forget_session(response)
    response.headers["Clear-Site-Data"] = '"cache"'
    return response
