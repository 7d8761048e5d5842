"""Reflex's settings as the store has them, without its plugins."""

import os

import reflex as rx

url = os.environ["BENCH_URL"]

config = rx.Config(
    app_name="button",
    api_url=url,
    deploy_url=url,
    state_manager_mode="memory",
    transport="websocket",
    telemetry_enabled=False,
    show_built_with_reflex=False,
    disable_plugins=[rx.plugins.SitemapPlugin],
)
