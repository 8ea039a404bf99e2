"""Benchmark of message buses between gateways, game workers and engine workers."""
