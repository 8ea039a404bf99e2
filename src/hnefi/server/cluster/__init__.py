"""Several processes that serve one site: the bus between them (decision 40)."""
