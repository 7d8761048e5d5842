"""Programs for developers, which the store itself does not need: pictures, measurements, faults, screenshots."""
