"""Tests of servers with several processes."""
