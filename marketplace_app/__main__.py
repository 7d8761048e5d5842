"""The command line."""

import sys

from marketplace_app.jobs.commands import main

sys.exit(main(sys.argv[1:]))
