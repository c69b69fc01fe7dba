"""The web site of `trialyst serve`: pages over the same facades that the command line asks."""

from trialyst.interfaces.web.app import create_site

__all__ = ["create_site"]
