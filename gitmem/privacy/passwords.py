"""How other languages than English and Chinese call a password."""

from __future__ import annotations

PASSWORDS_ABROAD = (
    *(
        "passwort",
        "kennwort",
        "contraseña",
        "contrasena",
        "mot de passe",
        "senha",
        "palavra-passe",
        "wachtwoord",
    ),
    *("hasło", "пароль", "パスワード", "비밀번호", "암호"),
)
