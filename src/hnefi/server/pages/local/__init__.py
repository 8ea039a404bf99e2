"""Games without a server: two players at one device, or against the computer."""
