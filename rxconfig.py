"""Reflex's own settings. What differs between deployments is in `marketplace_app.config`."""

import reflex as rx

from marketplace_app.components.shell.script_messages import toast_from_script
from marketplace_app.config import get_settings
from marketplace_app.framework.deferred_hydration import DeferredHydrationPlugin
from marketplace_app.framework.lean_build import LeanBuildPlugin
from marketplace_app.framework.prerendering import PrerenderingPlugin
from marketplace_app.framework.same_origin import SameOriginPlugin
from marketplace_app.framework.state_script import StateScriptPlugin
from marketplace_app.framework.states_of_pages import StatesOfPagesPlugin
from marketplace_app.framework.static_pages import StaticPagesPlugin
from marketplace_app.framework.stylesheet import StylesheetPlugin
from marketplace_app.messages import PAGE_OUTDATED
from marketplace_app.theme.stylesheet import stylesheet
from marketplace_app.web.before_hydration import CONTROLS_WITHOUT_REACT, SCRIPTS
from marketplace_app.web.hot_reload import HotReloadPlugin
from marketplace_app.web.pwa import DRIVE, DRIVE_SCRIPT, PwaPlugin

settings = get_settings()

config = rx.Config(
    app_name="marketplace_app",
    api_url=settings.public_url,
    deploy_url=settings.public_url,
    backend_host=settings.host,
    cors_allowed_origins=list(settings.origins),
    redis_url=settings.redis_url,
    # Without Redis, Reflex's default would be pickles on disk, which would outlive their tabs.
    **({} if settings.redis_url else {"state_manager_mode": "memory"}),
    # How long an event may hold its tab. What takes longer is carried out and then called a failure, and a write is
    # tried six times, for up to five seconds each (`db.ATTEMPTS`). Not longer: if a process is killed, the tabs whose
    # events it was handling wait for the rest of that time.
    redis_lock_expiration=40_000,
    telemetry_enabled=False,
    show_built_with_reflex=False,
    transport="websocket",
    frontend_compression_formats=["brotli", "gzip"],
    trusted_proxy_hops=settings.trusted_proxies,
    plugins=[
        StylesheetPlugin(stylesheet=stylesheet),
        PrerenderingPlugin("/product"),
        StaticPagesPlugin({DRIVE: DRIVE_SCRIPT}),
        DeferredHydrationPlugin(handled_elsewhere=CONTROLS_WITHOUT_REACT, scripts=SCRIPTS),
        PwaPlugin(),
        SameOriginPlugin(),
        LeanBuildPlugin(),
        StatesOfPagesPlugin(),
        StateScriptPlugin(on_outdated=toast_from_script("error", PAGE_OUTDATED)),
        HotReloadPlugin(),
    ],
    disable_plugins=[rx.plugins.SitemapPlugin],
)
