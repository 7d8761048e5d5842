"""The list of tickets, one ticket, and the dialog that creates one."""
