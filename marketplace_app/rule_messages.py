"""What the store says about the rules, limits and taxes of states."""

RULES_NOT_FOUND = "These rules do not exist."
ALREADY_REVIEWED = "These rules have been reviewed already. What has changed since needs a new version."
