"""What one process shares, preparing a fork, and the check of the set-up."""
