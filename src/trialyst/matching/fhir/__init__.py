"""FHIR R4 records: a bundle becomes a readable note and the facts its codes state."""
