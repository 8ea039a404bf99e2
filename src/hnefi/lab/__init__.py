"""Experiments: matches between players, their statistics and tables; fitting and calibration of weights."""
