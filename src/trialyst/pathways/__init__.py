"""WikiPathways: what genes, proteins and metabolites do together, on line and on your machine."""
