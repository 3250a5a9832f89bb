"""Every situation that git can be in, one file a kind; `docs/explanation/git-situations.md` lists them."""
