"""What to do before each screenshot as a member. The scenes of `shopping.py` come first."""

import re

from playwright.sync_api import WebSocketRoute, expect

from tests.doors import PIN, WRONG_PIN
from tests.e2e.acts import run_sql
from tests.e2e.driving import open_run
from tools.screens.camera import Camera
from tools.screens.guest import Scene
from tools.screens.shopping import SHOPPING


def account(camera: Camera) -> None:
    for tab, words in (
        ("profile", "Account status"),
        ("referrals", "Available credit"),
        ("settings", "Sign Out Everywhere"),
    ):
        camera.page.goto(f"/account?tab={tab}")
        expect(camera.page.get_by_role("tabpanel", name=tab.title()).get_by_text(words)).to_be_visible()
        camera.take(f"account-{tab}")
    camera.page.get_by_role("button", name="Add Address").click()
    expect(camera.page.get_by_role("dialog", name="Add address")).to_be_visible()
    camera.take("account-address", whole=False)
    camera.page.goto("/account/privacy")
    expect(camera.page.get_by_role("heading", name="What the store keeps about you")).to_be_visible()
    camera.take("account-privacy")


def support(camera: Camera) -> None:
    camera.page.goto("/support")
    expect(camera.page.get_by_role("heading", name="Support", level=1)).to_be_visible()
    camera.page.get_by_role("button", name="Create Support Ticket").click()
    expect(camera.page.get_by_role("dialog", name="Create Support Ticket")).to_be_visible()
    camera.take("support-form", whole=False)
    camera.page.get_by_label("Subject", exact=True).fill("Driver could not find the side entrance")
    camera.page.get_by_label("Message", exact=True).fill("He called twice and drove off. Can he come back today?")
    camera.page.get_by_role("button", name="Create Ticket").click()
    expect(camera.page.get_by_role("region", name="AI analysis")).to_be_visible()
    camera.take("support-ticket", whole=False)
    camera.page.goto("/support")
    expect(camera.page.get_by_role("list", name="Support tickets")).to_be_visible()
    camera.take("support")


def app_component_error(camera: Camera) -> None:
    """The server's messages are altered on their way so that rendering the number of products fails; header and footer
    stay."""

    def alter(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(
            lambda message: socket.send(
                message.replace('"count_label_rx_state_":"', '"count_label_rx_state_":{"a":1},"b":"')
                if isinstance(message, str)
                else message
            )
        )

    camera.page.route_web_socket(re.compile("/_event"), alter)
    camera.page.goto("/")
    expect(camera.page.get_by_role("heading", name="App Component Error")).to_be_visible()
    camera.take("app-component-error")


def preferences(camera: Camera) -> None:
    camera.page.goto("/preferences")
    expect(camera.page.get_by_role("button", name="Save Preferences")).to_be_visible()
    camera.take("preferences-empty")
    liked = {
        "experienceLevel": "intermediate",
        "preferredTypes": ["Hybrid"],
        "preferredEffects": [
            "Happy",
            "Relaxed",
            "Creative",
            "Calm",
            "Giggly",
            "Focused",
            "Alert",
            "Inspired",
            "Uplifted",
        ],
        "preferredFlavors": ["Citrus", "Pine"],
        "avoidEffects": ["Couch Lock"],
    }
    for given, name in ((liked, "saved"), ({}, "not-set")):
        answer = camera.page.request.post("/api/preferences", data=given, headers={"Origin": camera.store.url})
        assert answer.ok, answer.text()
        camera.page.goto("/preferences")
        expect(camera.page.get_by_role("complementary", name="Your Current Preferences")).to_be_visible()
        camera.take(f"preferences-{name}")
        camera.page.goto("/")
        expect(camera.page.get_by_role("region", name="Picked for you")).to_be_visible()
        camera.take(f"picked-{name}", whole=False)
    run_sql(camera.store, "DELETE FROM preferences")


def drive(camera: Camera) -> None:
    """Must be the last scene, because it signs somebody else in."""
    page = camera.page
    page.goto("/drive")
    expect(page.get_by_role("main")).to_contain_text("do not have")
    camera.take("drive-denied")
    open_run(page, camera.store)
    camera.take("drive-arrived")
    page.get_by_role("button", name="I'm here").click()
    camera.take("drive-id")
    page.get_by_role("button", name="ID Checked").click()
    expect(page.get_by_text("Answer all three questions.")).to_be_visible()
    camera.take("drive-id-missing")
    for yes in page.get_by_role("radio", name="Yes").all():
        yes.check()
    page.get_by_role("button", name="ID Checked").click()
    page.get_by_label("Four digits").fill(WRONG_PIN)
    camera.take("drive-pin", whole=False)
    page.get_by_role("button", name="Check PIN").click()
    expect(page.get_by_text("4 tries left.")).to_be_visible()
    camera.take("drive-pin-wrong")
    page.get_by_label("Four digits").fill(PIN)
    page.get_by_role("button", name="Check PIN").click()
    expect(page.get_by_label("Cash counted")).to_be_visible()
    page.get_by_role("button", name="Couldn't Deliver").click()
    camera.take("drive-reasons")
    page.get_by_role("button", name="Back to the Steps").click()
    camera.page.context.set_offline(True)
    page.get_by_label("Cash counted").fill("152.50")
    camera.take("drive-cash")
    page.get_by_role("button", name="Cash Counted").click()
    page.get_by_role("button", name="Bag Placed").click()
    expect(page.get_by_text("2 steps")).to_be_visible()
    camera.take("drive-offline")
    camera.page.context.set_offline(False)


MEMBER: tuple[Scene, ...] = (*SHOPPING, account, preferences, support, app_component_error, drive)
