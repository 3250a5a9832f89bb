"""tend: what the policies of a store say of old memories, as a plan and carried out."""
