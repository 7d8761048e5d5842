"""What the search box suggests, synonyms, and searches that found nothing."""
