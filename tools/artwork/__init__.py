"""Draws what the store shows: product pictures, the logo and its icons, the hero film and the social image.

Everything is vector art made by these scripts and the demo catalogue; nothing is downloaded. Run
`python -m tools.artwork`.
"""
