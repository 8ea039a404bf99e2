"""Middleware and what concerns every request: origins, visitors, headers, rate limits, language."""
