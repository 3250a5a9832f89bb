"""What is kept out of a store: secrets and personal data are found, and replaced by placeholders."""
