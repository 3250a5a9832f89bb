"""Rules and own patterns: what the policy says, what is refused, and what only tightens."""

from __future__ import annotations

import pytest

from gitmem.errors import BadInput, StoreProblem
from gitmem.model.own_pattern import bounded_pattern, places_of
from gitmem.model.sensitive import Action, OwnPattern, PrivacyRules
from gitmem.privacy.judge import Judge
from gitmem.privacy.placeholders import placeholder
from gitmem.versions.config import parse_config
from gitmem.versions.privacy_settings import parse_own_actions
from tests.timing import cpu_seconds


def rules(text: str) -> PrivacyRules:
    return parse_config(text.encode(), where="main").policy.privacy


def test_the_defaults_block_secrets_and_redact_what_finds_a_person() -> None:
    """The rest is told, IP addresses and names are let in."""
    default = rules("")
    assert default.action_of("secret") is Action.BLOCK
    redacted = {kind for kind, action in default.actions.items() if action is Action.REDACT}
    assert redacted == {"email", "phone", "card", "cn_id", "ssn"}
    assert {kind for kind, action in default.actions.items() if action is Action.WARN} == {
        "iban",
        "passport",
        "plate",
    }
    assert default.action_of("ip") is Action.ALLOW


def test_the_policy_changes_single_kinds_and_adds_its_own() -> None:
    """What it does not name stays as it is."""
    own = rules(
        "[privacy]\nemail = 'allow'\n[[privacy.patterns]]\nname = 'staff-number'\npattern = 'E\\d{6}'\n"
    )
    assert own.action_of("email") is Action.ALLOW
    assert own.action_of("staff-number") is Action.REDACT
    assert own.action_of("phone") is Action.REDACT
    found = Judge(own).find("mara@example.com is E123456")
    assert [(each.kind, each.start) for each in found] == [("staff-number", 20)]


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("privacy = 1", "privacy must be a table"),
        ("[privacy]\nemail = 'keep'", "privacy.email must be one of"),
        ("[privacy]\nmail = 'warn'", "privacy.mail: no such kind"),
        ("[partitions.p.privacy]\nmail = 'warn'", "partitions.p.privacy.mail: no such kind"),
        ("[privacy]\npatterns = 1", "privacy.patterns must be tables"),
        ("[[privacy.patterns]]\npattern = 'x'", "name must be small letters"),
        ("[[privacy.patterns]]\nname = 'email'\npattern = 'x'", "the name is taken"),
        ("[[privacy.patterns]]\nname = 'a'", "pattern must be a text"),
        ("[[privacy.patterns]]\nname = 'a'\npattern = '('", "no regular expression"),
        ("[[privacy.patterns]]\nname = 'a'\npattern = '(a+)+b'", "no upper bound"),
        ("[[privacy.patterns]]\nname = 'a'\npattern = 'x'\naction = 'drop'", "action must be one of"),
    ],
)
def test_a_wrong_setting_is_refused_by_name(text: str, named: str) -> None:
    """The message names the setting."""
    with pytest.raises(StoreProblem, match=named):
        rules(text)


@pytest.mark.parametrize("pattern", ["(a{1,9}){1,9}$", "a*", "(a|aa){1,40}b", r"(a)\1", "x{0,3}", "a" * 201])
def test_a_pattern_that_could_run_for_long_is_refused(pattern: str) -> None:
    """Nobody can stop an expression once it runs."""
    with pytest.raises(ValueError, match=r"\w"):
        bounded_pattern(pattern)


def test_the_worst_pattern_that_is_taken_grows_with_the_text() -> None:
    """Lines that nearly match everywhere: four times as many take about four times as long."""
    worst = bounded_pattern("(?:a{1,9}){2}a{1,9}b")
    few, many = (("a" * 400 + "\n") * lines for lines in (5, 20))
    assert list(places_of(worst, many)) == []
    least = cpu_seconds(lambda: list(places_of(worst, few)))
    assert cpu_seconds(lambda: list(places_of(worst, many))) < 12 * max(least, 0.0005)


def test_own_settings_can_only_tighten() -> None:
    """A looser action than that of the policy is not followed."""
    base = PrivacyRules(patterns=(OwnPattern("x", "x", Action.WARN),))
    tightened = base.tightened(parse_own_actions("email=block, secret=allow ip=warn"))
    assert tightened.action_of("email") is Action.BLOCK
    assert tightened.action_of("secret") is Action.BLOCK
    assert tightened.action_of("ip") is Action.WARN
    with pytest.raises(BadInput, match=r"gitmem\.privacy"):
        parse_own_actions("email")


def test_a_person_keeps_one_placeholder_however_they_are_written() -> None:
    """Kind and key tell others apart."""
    key = b"k" * 32
    assert placeholder("email", "Li@Example.cn", key) == placeholder("email", "li@example.cn", key)
    phones = ["+86 138-0013-8000", "13800138000", "8613800138000", "１３８００１３８０００"]
    assert len({placeholder("phone", each, key) for each in phones}) == 1
    assert placeholder("card", "4111 1111 1111 1111", key) == placeholder("card", "4111111111111111", key)
    assert placeholder("email", "li@example.cn", b"o" * 32) != placeholder("email", "li@example.cn", key)
    assert placeholder("email", "li@example.cn", key).startswith("[EMAIL:")
