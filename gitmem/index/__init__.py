"""The full-text index of one branch: derived from its commits, and never the truth."""

from __future__ import annotations

import warnings

# Whoosh is older than these warnings, which Python prints when it compiles it for the first time.
warnings.filterwarnings("ignore", category=SyntaxWarning, module=r"(.*[/\\])?whoosh\b")
