"""`python -m houseway` is the command line."""

import sys

from houseway.cli import main

sys.exit(main())
