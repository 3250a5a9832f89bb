"""The token of the server over HTTP: who knows it may ask."""

from __future__ import annotations

import secrets

from gitmem.errors import BadInput
from gitmem.surroundings import environ

TOKEN_VARIABLE = "GITMEM_MCP_TOKEN"
LEAST_CHARACTERS = 16


def token_here() -> tuple[str, bool]:
    """The token that the environment gives, or a new one; and whether it is new.

    Raises `BadInput` for one that is too short to be kept from guessing, or that no header can carry.
    """
    given = environ().get(TOKEN_VARIABLE, "")
    if not given:
        return secrets.token_urlsafe(32), True
    if len(given) < LEAST_CHARACTERS or not given.isascii() or not given.isprintable() or " " in given:
        raise BadInput(
            f"{TOKEN_VARIABLE}: a token has at least {LEAST_CHARACTERS} ASCII characters and no blanks",
            field=TOKEN_VARIABLE,
            hint="leave it out, and the server makes one",
        )
    return given, False
