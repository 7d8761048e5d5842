"""What customers and staff decide about the batches of an order: wishes, questions, other batches, recall notices."""
