"""Middleware and helpers for every request: origins, visitors, headers, rate limits, language."""
