"""The detector, purely: what is found, what stays, and that time grows with the text."""

from __future__ import annotations

import re

import pytest

from gitmem.model.sensitive import IP
from gitmem.privacy.detect import DEFAULT_KINDS, detect
from gitmem.privacy.key_formats import FORMATS, LEAST_CHARACTERS
from tests.timing import cpu_seconds


def found(text: str, *, kinds: frozenset[str] = DEFAULT_KINDS) -> list[tuple[str, str]]:
    return [(each.kind, text[each.start : each.end]) for each in detect(text, kinds=kinds)]


def kinds_in(text: str) -> list[str]:
    return [each.kind for each in detect(text)]


def test_no_key_is_shorter_than_the_words_that_are_looked_at_nor_has_a_blank() -> None:
    for _, source in FORMATS:
        assert re._parser.parse(source).getwidth()[0] >= LEAST_CHARACTERS, source  # type: ignore[attr-defined]
        without_classes = re.sub(r"\[[^\]^]*\]|\(\?<=[^)]*\)", "", source)
        assert not re.search(r" |\\[sSWD]|\[\^|(?<!\\)\.", without_classes), source


@pytest.mark.parametrize(
    "text",
    [
        "Log 2025-11-03 20:17:45 CST, build-20251103-07, row 318204477, epoch 1717171717000",
        "sha 13912345678abcdef0123456789abcdef0123456, uuid 1b4e28ba-2fa1-11d2-883f-0016d3cca427",
        "v2.39.5, ISBN 978-0-306-40615-7, 192.168.100.200, order 2024 1130 0917.",
        "Use react@18.2.0 and @scope/pkg@1.2.3-beta.4; clone git@github.com:org/repo.git",
        "systemd getty@tty1.service; see https://host.example/@user; def f(@decorator.name); 3 apples @ 1.50",
        "actions/checkout@v4, logo@2x.png, @alice@social.example, ssh root@build.example.com",
        "ssh://git@host.example/repo, https://reader@host.example/x, Q@K.to(device)",
        "integers from -2147483648 to +2147483647, a list [1, 32, 59049, 17179869184]",
        "max_tokens = 4096, the tokenizer has 151936 tokens, password must have at least 12 characters",
        'api_key = os.environ["OPENAI_API_KEY"], password: ${DB_PASSWORD}, token: <your-token>, sk-...',
        "AKIAXXXXXXXXXXXXXXXX, ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx, postgres://postgres:postgres@localhost/x",
        "订单号 202411300917123456，版本 3.11.7，工号 13800138000，房间 2011",
        "110105194912310021 and 4111111111111112 and GB82 WEST 1234 5698 7654 33 fail their check",
        "The order number is 13912345678, the count was 13912345678, employee no. is 13912345678",
        "13912345678 rows, 13800138000 bytes, the invoice number is 415-555-2671",
        "partition_key=a8f5f167f44f4964e6c998dee827110c, sort key: 01HZX3K4Q5R6S7T8V9W0X1Y2Z3",
        "public_key: 04a34b99f22c790c4e36b2b3c2c35a36db06226e, next_token = eyJ2IjoiMiIsImMiOiJ9xQ",
        "STRIPE_PUBLISHABLE_KEY=pk_test_51H8xYzAbCdEfGhIjKlMnOpQr, user.signingkey 0x3AA5C34371567BD2",
        "000-12-3456 666-12-3456 900-12-3456, passport photos of 35 x 45 mm, part 555-123-4567",
    ],
)
def test_what_only_looks_alike_stays(text: str) -> None:
    """A false hit destroys what was to be remembered."""
    assert found(text) == []


def test_an_id_number_is_one_thing_and_no_phone() -> None:
    """Both forms of the check digit, and the phone directly behind a Chinese character."""
    text = "证件号 11010519491231002X，电话13800138000。小写 11010519491231002x。"
    assert found(text) == [
        ("cn_id", "11010519491231002X"),
        ("phone", "13800138000"),
        ("cn_id", "11010519491231002x"),
    ]


def test_phones_are_found_in_the_ways_that_they_are_written() -> None:
    """Each is found whole."""
    text = "Call +86 138-0013-8000, 13800138000, (202) 555-0143 or +1 202 555 0143. Tel 020 7946 0958."
    assert [value for _, value in found(text)] == [
        "+86 138-0013-8000",
        "13800138000",
        "(202) 555-0143",
        "+1 202 555 0143",
        "020 7946 0958",
    ]
    assert set(kinds_in(text)) == {"phone"}


@pytest.mark.parametrize(
    "text",
    [
        "My number is 13912345678",
        "The member's phone number is 13912345678",
        "The employee's number is 415-555-2671",
        "13912345678 is where she can be reached",
        "13800138000 US office",
        "call 13800138000 times are Monday and Friday",
    ],
)
def test_a_number_of_somebody_stays_a_phone(text: str) -> None:
    """Only what itself has a number, such as an order, says that it is none."""
    assert kinds_in(text) == ["phone"]


def test_addresses_are_found_in_every_script_with_blanks_between_words() -> None:
    """As a whole: with its local part, its domain, or both."""
    for address in (
        "почта@пример.рф",
        "иван.петров@yandex.ru",
        "info@пример.рф",
        "νίκος@example.ελ",
        "jö@dörr.de",
    ):
        for text in (address, f"Пиши на {address}, пожалуйста", f"邮箱：{address}，谢谢"):
            assert [text[each.start : each.end] for each in detect(text)] == [address]
    for text in ("цена@2.0", "спросить @ивана", "пакет@следующий", "встреча @ 15:30"):
        assert detect(text) == []


def test_addresses_are_found_before_a_full_width_comma_and_with_git_as_their_local_part() -> None:
    """What is left out for clone URLs lets no address through."""
    text = "Write to mara.o+x@mail.example.com, 'Li@example.cn'，or git@gitmail.example.org"
    assert [value for _, value in found(text)] == [
        "mara.o+x@mail.example.com",
        "Li@example.cn",
        "git@gitmail.example.org",
    ]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("全角 １３８００１３８０００", "phone"),
        ("邮箱：li＠example．cn", "email"),
        ("card 4111 1111 1111 1111", "card"),
        ("pay to GB82WEST12345698765432 please", "iban"),
        ("SSN 123-45-6789", "ssn"),
        ("护照号：E12345678", "passport"),
        ("车牌 京A·12345", "plate"),
        ("licence plate LK19 RXD.", "plate"),
        ("DB_PASSWORD=Tr0ub4dor&3", "secret"),
        ("口令改成了 Qd#17zhongshan", "secret"),
        ("Contraseña: Qd17zhongshan!", "secret"),
        ("Das WLAN-Passwort: Tr0ub4dor&3", "secret"),
        ("mot de passe = s3cr3t99x", "secret"),
        ("пароль: Tr0ub4dor&3", "secret"),
        ("パスワード: s3cr3t99x", "secret"),
        ("비밀번호: s3cr3t99x", "secret"),
        ("postgres://bob:s3cr3t99@db/x", "secret"),
        (
            "-----BEGIN PRIVATE KEY-----\\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\\n-----END PRIVATE KEY-----",
            "secret",
        ),
    ],
)
def test_one_of_each_kind_is_found(text: str, kind: str) -> None:
    """The labelled lines hold many more."""
    assert kinds_in(text) == [kind]


@pytest.mark.parametrize(
    "text",
    [
        "Passwort vergessen: bitte zurücksetzen",
        "contraseña: olvidada",
        "desenha: abc123def",
        "mot de passe: à changer",
        "пароль: спросить у Анны",
        "パスワード: 忘れた",
    ],
)
def test_a_word_for_passwords_makes_no_secret_of_words(text: str) -> None:
    assert found(text) == []


def test_ip_addresses_are_looked_for_only_where_asked() -> None:
    """They are in too many notes about computers."""
    text = "the host 192.168.100.200 and 2001:db8::8a2e:370:7334"
    assert found(text) == []
    assert [kind for kind, _ in found(text, kinds=frozenset({IP}))] == ["ip", "ip"]


def test_a_placeholder_is_not_found_again() -> None:
    """What was redacted once is left alone."""
    assert found("mail [EMAIL:3f2a], token: [SECRET:00ff], call [PHONE:1380]") == []


@pytest.mark.parametrize(
    "unit",
    [
        "1",
        "1 ",
        "1234 ",
        "a@",
        "a",
        "a.",
        "-----BEGIN RSA PRIVATE KEY-----\n",
        "eyJhbGciOi.",
        "http://a:b",
        "password=",
        "api_key ",
        "GB82 ",
        "+1 ",
        "tel 1234567 ",
        "curl -u ",
        "passport ",
        "8 8-8.",
        "MAAAAAAAAAAAAAAAAAAAAAAAAAAA.",
        "--a-",
    ],
)
def test_time_grows_with_the_length_of_the_text(unit: str) -> None:
    """Eight times the text takes about eight times as long: no pattern goes back and forth."""
    short, long = (unit * (size // len(unit)) for size in (2_000, 16_000))
    assert cpu_seconds(lambda: detect(long)) < 24 * max(cpu_seconds(lambda: detect(short)), 0.0005)
