"""Tests of cohorts, feasibility and clusters."""
