"""What stands around every request: origins, visitors, security headers, rate limits, languages."""
