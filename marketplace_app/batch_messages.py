"""What staff read about batches."""

from marketplace_app.messages import Notice

SAVED = Notice("Batch saved")
RECEIVED = Notice("Batch received")
HELD = Notice("Batch held")
RELEASED = Notice("Batch released")
CORRECTED = Notice("Units of the batch adjusted")
NOT_SAVED = "Failed to save batch"
