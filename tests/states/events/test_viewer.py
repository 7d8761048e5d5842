"""What a tab knows of its viewer."""

import asyncio
from typing import Any

import pytest
from reflex.state import State

from marketplace_app import clock
from marketplace_app.models import Permission, Role, User
from marketplace_app.states.events.viewer import ViewerState


def user(role: Role = Role.CUSTOMER, **values: Any) -> User:
    return User(**{"issuer": "i", "subject": "s", "email": "nora@example.org", "role": role} | values)


def viewer_of(*users: User | None) -> Any:
    """The viewer of a tab whose events came from these, one after the other."""

    async def identify() -> Any:
        viewer = await State().get_state(ViewerState)
        for each in users:
            viewer._clean()
            viewer._set_user(each, has_access=each is not None)
        return viewer

    return asyncio.run(identify())


@pytest.mark.parametrize(
    ("role", "is_staff", "sees_orders"),
    [(Role.CUSTOMER, False, False), (Role.DRIVER, False, False), (Role.VIEWER, True, True), (Role.OWNER, True, True)],
)
def test_only_staff_have_the_admin_pages(role: Role, is_staff: bool, sees_orders: bool) -> None:
    viewer = viewer_of(user(role))
    assert viewer.is_staff is is_staff
    assert (Permission.SEE_ORDERS in viewer.permissions) is sees_orders


def test_nothing_of_a_user_stays_when_they_sign_out() -> None:
    viewer = viewer_of(user(Role.OWNER, age_verified_at=clock.now()), None)
    known = (viewer.is_signed_in, viewer.is_staff, viewer.permissions, viewer.has_access, viewer.is_age_verified)
    assert known == (False, False, [], False, False)
    assert (viewer.email, viewer.is_known) == ("", True)


def test_a_viewer_who_is_still_the_same_is_not_sent_again() -> None:
    """Every event identifies them."""
    assert viewer_of(user(Role.OWNER), user(Role.OWNER)).get_delta() == {}
    assert viewer_of(user(), user(age_verified_at=clock.now())).dirty_vars == {"is_age_verified"}


def test_a_viewer_who_could_not_be_identified_for_a_moment_is_no_longer_called_so() -> None:
    async def identify() -> bool:
        viewer = await State().get_state(ViewerState)
        viewer.is_unverifiable = True
        viewer._set_user(None, has_access=False)
        return bool(viewer.is_unverifiable)

    assert not asyncio.run(identify())
