"""Eligibility as a language: criteria as requirements, patients as charts, and how they compare."""
