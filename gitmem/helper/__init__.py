"""The helper: a resident process of one store that answers for the command. It saves time, nothing else."""
