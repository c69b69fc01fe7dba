"""Places as people write them, under the name the index was built with."""

from __future__ import annotations

from trialyst.ctgov.countries import country_code, place_spellings

__all__ = ["country_code", "place_spellings"]
