"""The store's REST API and identity provider without pages, for tests that kill the process."""

import uvicorn

from marketplace_app.api.app import make_api
from marketplace_app.config import get_settings
from marketplace_app.jobs.identity import start_development_provider
from marketplace_app.jobs.migrate import migrate
from marketplace_app.jobs.seed import seed_if_empty

if __name__ == "__main__":
    settings = get_settings()
    migrate()
    seed_if_empty()
    start_development_provider(settings)
    uvicorn.run(make_api(), host="127.0.0.1", port=settings.port, log_level="warning")
