"""Definitions found in texts of many languages, without a parser."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gitmem.model.symbols import definition_of

PACKAGE = Path(__file__).resolve().parents[2] / "gitmem"

TS = """export default async function load(url, { a } = {}) {
  const s = "}"; // }
  return fetch(url);
}
class Foo extends Bar {
  run(x) {
    if (x) { go(x); }
  }
}
const arrow = (a) => {
  return a;
};
load("x");
"""
GO = """type Server struct {
	port int
}

func (s *Server) Start(ctx context.Context) error {
	return s.run()
}

func Start() {
	x := 1
}
"""
RUST = """pub struct Server<'a> {
    port: &'a str,
}

impl<'a> Server<'a> {
    pub fn start(&'a self) -> Result<(), E>
    where
        T: X,
    {
        let c = '{';
        Ok(())
    }
}

#[derive(Debug)]
pub enum E { A }
"""
CPP = """#define LIMIT 25

static int helper(int a)
{
    return other(a);
}

void Server::start(int x) {
    helper(x);
}
"""
JAVA = """public class Foo {
    private final List<String> names = new ArrayList<>();
    @Override
    public String toString() {
        return helper();
    }
}
"""
RUBY = """class Foo
  def self.make(a)
    new(a)
  end

  def run
    if x
      y
    end
  end
end
"""
SHELL = 'deploy() {\n  echo "hi"\n}\nLIMIT=25\ndeploy\n'
SQL = "CREATE TABLE IF NOT EXISTS parcel (\n  id int\n);\nselect * from parcel;\n"
YAML = "services:\n  web:\n    image: x\n    ports:\n    - 80\n  db:\n    image: y\n"
TOML = '[tool.black]\nline = 1\n\n[project]\nname = "x"\n'
JSON = '{\n  "scripts": {\n    "build": "make"\n  },\n  "version": "1"\n}\n'
MARKDOWN = "# Top\na\n## Setup 1.2\nb\n```\n## no\n```\n### deeper\nc\n## Next\nd\n"
MAKE = "build: a b\n\tgcc x\n\ntest: build\n\t./t\n"


@pytest.mark.parametrize(
    ("text", "path", "symbol", "first", "last"),
    [
        (TS, "a.ts", "load", "export default async function load", "}"),
        (TS, "a.js", "Foo.run", "run(x) {", "}"),
        (TS, "a.ts", "arrow", "const arrow", "};"),
        (GO, "a.go", "Server.Start", "func (s *Server) Start", "}"),
        (GO, "a.go", "Server", "type Server struct {", "}"),
        (RUST, "a.rs", "Server::start", "pub fn start", "}"),
        (RUST, "a.rs", "E", "#[derive(Debug)]", "pub enum E { A }"),
        (CPP, "a.cpp", "helper", "static int helper", "}"),
        (CPP, "a.cpp", "Server::start", "void Server::start", "}"),
        (CPP, "a.c", "LIMIT", "#define LIMIT 25", "#define LIMIT 25"),
        (JAVA, "Foo.java", "Foo.toString", "@Override", "}"),
        (JAVA, "Foo.java", "names", "private final", "new ArrayList<>();"),
        (RUBY, "a.rb", "Foo.make", "def self.make", "end"),
        (RUBY, "a.rb", "run", "def run", "end"),
        (SHELL, "a.sh", "deploy", "deploy() {", "}"),
        (SHELL, "a.sh", "LIMIT", "LIMIT=25", "LIMIT=25"),
        (SQL, "a.sql", "parcel", "CREATE TABLE", ");"),
        (YAML, "a.yml", "services.web", "web:", "- 80"),
        (TOML, "a.toml", "project", "[project]", 'name = "x"'),
        (JSON, "a.json", "scripts", '"scripts": {', "}"),
        (MARKDOWN, "a.md", "setup 1.2", "## Setup 1.2", "c"),
        (MAKE, "Makefile", "build", "build: a b", "\tgcc x"),
    ],
)
def test_a_definition_goes_from_its_first_line_to_its_last(
    text: str, path: str, symbol: str, first: str, last: str
) -> None:
    found = definition_of(text, symbol, path)
    assert found is not None
    lines = found.splitlines()
    assert lines[0].startswith(first)
    assert lines[-1].endswith(last.strip())


@pytest.mark.parametrize(("text", "path"), [(TS, "a.ts"), (GO, "a.go"), (MARKDOWN, "a.md"), ("", "a.py")])
@pytest.mark.parametrize("symbol", ["nope", "Foo.nope", "Nope.run", "no", "x" * 500, "(", "a|b", "#", ""])
def test_what_is_not_defined_is_not_found(text: str, path: str, symbol: str) -> None:
    """A call, a word in a comment or in code of a page, and what is no name define nothing."""
    assert not definition_of(text, symbol, path)


def test_a_call_is_no_definition() -> None:
    text = "function run() {\n  return load(1);\n}\nload(2);\nawait load(3);\nx = load(4);\n"
    assert definition_of(text, "load", "a.js") is None


def test_a_definition_does_not_change_with_what_stands_around_it() -> None:
    """Lines above and below, blanks at line ends, line ends, and a level of indentation more."""
    text = "def f(a):\n    if a:\n        return 1\n\n    return 2\n"
    around = "import os\n\n\n" + text.replace("1\n", "1   \n") + "\n\ndef g():\n    return f(3)\n"
    inside = "class A:\n" + textwrap.indent(text, "    ")
    wanted = definition_of(text, "f", "a.py")
    assert wanted == text.rstrip()
    assert definition_of(around, "f", "a.py") == wanted
    assert definition_of(around.replace("\n", "\r\n"), "f", "a.py") == wanted
    assert definition_of(inside, "f", "a.py") == wanted
    assert definition_of(text.replace("2", "3"), "f", "a.py") != wanted


def test_definitions_are_those_that_the_parser_of_python_finds() -> None:
    """Every class, function and method of this package: the same lines, decorators included."""
    wrong, count = [], 0
    for file in sorted(PACKAGE.rglob("*.py")):
        text = file.read_text("utf-8")
        tree = ast.parse(text)
        names = [(node.name, node) for node in tree.body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
        for outer, node in list(names):
            methods = [inner for inner in ast.iter_child_nodes(node) if isinstance(inner, ast.FunctionDef)]
            if isinstance(node, ast.ClassDef):
                names += [(f"{outer}.{method.name}", method) for method in methods]
        defined = [name for name, _ in names]
        for name, node in names:
            if sum(name in (each, each.rpartition(".")[2]) for each in defined) > 1:
                continue
            start = min([node.lineno, *(each.lineno for each in node.decorator_list)])
            segment = "\n".join(line.rstrip() for line in text.splitlines()[start - 1 : node.end_lineno])
            count += 1
            if definition_of(text, name, file.name) != textwrap.dedent(segment):
                wrong.append(f"{file.name}: {name}")
    assert not wrong
    assert count > 1000


@given(
    st.text(alphabet="def f(){}[]:;,\"'`/*\n\t #@a.=", max_size=200),
    st.sampled_from("py js rs rb md yml".split()),
)
def test_no_text_makes_it_fail(text: str, kind: str) -> None:
    definition_of(text, "f", f"a.{kind}")
    definition_of(text, "a.f", f"a.{kind}")
