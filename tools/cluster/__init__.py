"""The store as a growing shop runs it, on one machine and from packages alone.

Caddy with TLS, two processes of the store with two workers each, PostgreSQL, Redis and the development identity
provider: all on loopback, each in the background with a log of its own.
"""
