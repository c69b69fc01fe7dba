"""The web site of `trialyst serve`: pages over the same facades that the command line asks."""

from trialyst.interfaces.web.app import OWNED, create_site

__all__ = ["OWNED", "create_site"]
