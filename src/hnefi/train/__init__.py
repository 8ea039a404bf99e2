"""Networks for variants: self-play, training, and the matches that a network has to win."""
