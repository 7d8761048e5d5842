"""What a user keeps in their account, and invitations to have one."""
