"""WikiPathways: what genes, proteins and metabolites do together, on the site and on your machine."""
