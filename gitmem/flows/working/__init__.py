"""Working memory: notes of a session, on a branch of their own, until the session is over.

notes      what stands on the working branch: sessions and their notes
lasting    pure: when a session is over, which notes have outlived it, what becomes of each
note       writing a note, and where `remember --type working` goes
folding    the token budget of a session: its oldest notes become one summary (`summary`, extractive)
session    start, list, end
crossing   one operation on several branches: never on none of them, finished by the next command
undoing    the end of a session taken back
"""

from __future__ import annotations

from gitmem.flows.working.lasting import ExpiredNote, expired_notes
from gitmem.flows.working.notes import Session, Sessions, sessions_on

__all__ = ["ExpiredNote", "Session", "Sessions", "expired_notes", "sessions_on"]
