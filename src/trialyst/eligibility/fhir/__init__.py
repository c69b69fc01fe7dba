"""FHIR R4 records: a bundle becomes a chart by what its codes state, and a note to quote."""
