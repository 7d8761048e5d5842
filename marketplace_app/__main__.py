"""`python -m marketplace_app`: the command line (`jobs/commands`)."""

import sys

from marketplace_app.jobs.commands import main

sys.exit(main(sys.argv[1:]))
