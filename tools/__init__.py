"""What developers run beside the store: pictures, measurements, screenshots."""
