"""Runs the tests of the last release on the schema of this version."""
