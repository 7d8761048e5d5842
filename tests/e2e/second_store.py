"""Starts a second store beside the one under test: with other settings, but the same built pages."""

from marketplace_app.config import get_settings
from marketplace_app.jobs.identity import start_development_provider
from marketplace_app.jobs.migrate import migrate
from marketplace_app.jobs.seed import seed_if_empty
from marketplace_app.jobs.serve import serve

if __name__ == "__main__":
    settings = get_settings()
    migrate()
    seed_if_empty()
    start_development_provider(settings)
    serve(settings)
