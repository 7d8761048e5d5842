"""A busy evening on the cluster, with two attackers beside the customers."""
