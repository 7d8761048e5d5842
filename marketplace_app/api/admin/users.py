"""Users: their profiles, roles, bans and sessions."""

from typing import Annotated

from fastapi import APIRouter, Query
from starlette.responses import Response

from marketplace_app.api.deps import CallerDep
from marketplace_app.api.responses import Json, problem
from marketplace_app.api.row_ids import RowIdPath
from marketplace_app.messages import USER_DELETED, USER_SIGNED_OUT
from marketplace_app.schemas.admin.user import UserDetailAnswer
from marketplace_app.schemas.admin.users import (
    AdminUserView,
    BanForm,
    ConfirmationAnswer,
    RoleForm,
    UserForm,
    UserQuery,
)
from marketplace_app.services.admin import user_actions
from marketplace_app.services.admin import users as admin_users

router = APIRouter(prefix="/users")
PROBLEMS = problem(401, 403, 404, 409, 422)


@router.get("", response_model=list[AdminUserView], responses=problem(401, 403, 422))
def list_users(query: Annotated[UserQuery, Query()], caller: CallerDep) -> Response:
    """All users, newest first, at most 1,000, or one page of them. The total count is in `X-Total-Count`.

    Without `order`, names sort ascending and everything else descending.
    """
    total, listed = caller.read(admin_users.list_all, query)
    return Json([user.wire() for user in listed], headers={"X-Total-Count": str(total)})


@router.get("/{user_id}", response_model=UserDetailAnswer, responses=problem(401, 403, 404))
def get_user(user_id: RowIdPath, caller: CallerDep) -> Response:
    """One user, with their latest orders, tickets, referrals, credit and sessions."""
    return Json(caller.read(admin_users.get, user_id).wire())


@router.put("/{user_id}", response_model=AdminUserView, responses=PROBLEMS)
def edit_user(user_id: RowIdPath, form: UserForm, caller: CallerDep) -> Response:
    """Changes the profile. Fields left out stay unchanged. `referralCredit` is the new balance.

    The profile email is where email is sent. It does not change how the person signs in.
    """
    return Json(caller.write(user_actions.edit, user_id, form).wire())


@router.post("/{user_id}/ban", response_model=AdminUserView, responses=PROBLEMS)
def ban_user(user_id: RowIdPath, caller: CallerDep, form: BanForm | None = None) -> Response:
    """Ends every session immediately and refuses sign-in, giving the reason."""
    return Json(caller.write(user_actions.ban, user_id, form or BanForm()).wire())


@router.post("/{user_id}/unban", response_model=AdminUserView, responses=PROBLEMS)
def unban_user(user_id: RowIdPath, caller: CallerDep) -> Response:
    return Json(caller.write(user_actions.unban, user_id).wire())


@router.delete("/{user_id}", response_model=ConfirmationAnswer, responses=PROBLEMS)
def delete_user(user_id: RowIdPath, caller: CallerDep) -> Response:
    """Removes the user from lists and statistics and signs them out. Their orders are kept."""
    caller.write(user_actions.delete, user_id)
    return Json({"message": USER_DELETED.title})


@router.post("/{user_id}/sign-out", response_model=ConfirmationAnswer, responses=PROBLEMS)
def sign_out_user(user_id: RowIdPath, caller: CallerDep) -> Response:
    """Ends all of the user's sessions. They can sign in again."""
    caller.write(user_actions.sign_out, user_id)
    return Json({"message": USER_SIGNED_OUT.title})


@router.put("/{user_id}/role", response_model=AdminUserView, responses=PROBLEMS)
def grant_role(user_id: RowIdPath, form: RoleForm, caller: CallerDep) -> Response:
    """Owners only. You cannot change your own role, and owners named in `ADMIN_EMAILS` stay owners."""
    return Json(caller.write(user_actions.grant, user_id, form).wire())
