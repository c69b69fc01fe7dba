"""Trialyst: clinical-trial intelligence on your own machine."""

__version__ = "0.1.0"
