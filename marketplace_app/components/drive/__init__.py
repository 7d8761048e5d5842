"""The parts of the driver's page. `assets/drive.js` fills them in: all of its texts and markup are here."""
