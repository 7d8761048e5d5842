"""Draws what the store shows: product pictures, the logo and its icons, the hero film and the social image.

The pictures are made by these scripts from the demo catalogue. The scripts also make the fonts of pages and of run
sheets, and the letters on drawn packages; only `sheet_fonts.py` downloads something. Run `python -m tools.artwork`.
"""
