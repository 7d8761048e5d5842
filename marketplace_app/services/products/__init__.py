"""Products as shoppers see, find and are shown them."""
