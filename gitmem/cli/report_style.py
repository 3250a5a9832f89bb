"""How the report looks: on a light and a dark screen, on a phone, and on paper."""

STYLE = """
:root {
  color-scheme: light dark;
  --page: #f6f7f9; --card: #ffffff; --ink: #1c2430; --soft: #5b6675; --edge: #dfe4ea; --grid: #e7ebf0;
  --semantic: #2f6fdb; --episodic: #16a08a; --procedural: #e08a1e; --reflective: #9559d6;
  --working: #7b8794; --other: #b0b8c1; --p50: #16a08a; --p95: #e0562e;
  --good: #12805c; --good-back: #e3f5ee; --bad: #b3361b; --bad-back: #fdeae5;
}
@media (prefers-color-scheme: dark) {
  :root {
    --page: #12161c; --card: #1b2129; --ink: #e6eaf0; --soft: #9aa6b5; --edge: #2c3541; --grid: #27303b;
    --semantic: #6ba1ff; --episodic: #3ecbb3; --procedural: #f3ad4f; --reflective: #bd8cf2;
    --working: #9aa6b5; --other: #667281; --p50: #3ecbb3; --p95: #ff8f6b;
    --good: #5bd6a8; --good-back: #15332a; --bad: #ff9d84; --bad-back: #3c211a;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif;
}
main { max-width: 1080px; margin: 0 auto; padding: 32px 20px 48px; }
header { display: flex; flex-wrap: wrap; align-items: center; gap: 6px 16px; margin-bottom: 20px; }
h1 { font-size: 26px; line-height: 1.25; margin: 0; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { font-size: 16px; margin: 0 0 12px; }
header p { flex-basis: 100%; margin: 0; color: var(--soft); }
code, td.id { font: 0.9em ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
.badge { padding: 3px 12px; border-radius: 99px; font-weight: 600; font-size: 14px; }
.well { background: var(--good-back); color: var(--good); }
.over { background: var(--bad-back); color: var(--bad); }
.tiles {
  display: grid; grid-template-columns: repeat(auto-fit, minmax(155px, 1fr)); gap: 12px; margin: 0 0 16px;
}
.tile, section {
  background: var(--card); border: 1px solid var(--edge); border-radius: 12px; padding: 14px 16px;
}
.tile dt { color: var(--soft); font-size: 13px; }
.tile dd { margin: 0; }
.tile .figure { font-size: 24px; font-weight: 650; line-height: 1.3; font-variant-numeric: tabular-nums; }
.tile .beside { color: var(--soft); font-size: 13px; }
.columns { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 460px), 1fr)); gap: 16px; }
section { padding: 18px 20px; margin: 0 0 16px; min-width: 0; }
.columns section { margin: 0; }
.columns + section, .columns + .columns { margin-top: 16px; }
.findings { border-color: var(--bad); }
.findings li { margin: 0 0 10px; }
.findings ul { margin: 0; padding: 0; list-style: none; }
.findings .do { color: var(--soft); display: block; }
svg { display: block; width: 100%; height: auto; }
svg.wide { min-width: 640px; }
svg text { fill: var(--soft); font-size: 13px; }
svg .label { fill: var(--ink); }
svg .value { fill: var(--soft); font-variant-numeric: tabular-nums; }
.grid { stroke: var(--grid); stroke-width: 1; }
.line { fill: none; stroke-width: 2.5; stroke-linejoin: round; stroke-linecap: round; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 18px; list-style: none; padding: 0; margin: 8px 0 0; }
.legend li { color: var(--soft); font-size: 13px; }
.dot { display: inline-block; width: 10px; height: 10px; border-radius: 3px; margin-right: 7px; }
details { margin-top: 10px; }
summary { cursor: pointer; color: var(--soft); font-size: 13px; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 14px; margin-top: 6px; }
th, td { text-align: left; padding: 6px 10px 6px 0; vertical-align: top; }
th, td { border-bottom: 1px solid var(--edge); }
th { color: var(--soft); font-weight: 600; font-size: 13px; }
td { overflow-wrap: break-word; }
td.number, th.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
td.id { white-space: nowrap; }
tr:last-child td { border-bottom: 0; }
.none { color: var(--soft); margin: 0; }
footer { color: var(--soft); font-size: 13px; margin-top: 20px; }
@media print {
  :root { color-scheme: light; --page: #fff; --edge: #ccc; }
  body { font-size: 12px; }
  main { max-width: none; padding: 0; }
  section, .tile { break-inside: avoid; }
  details::details-content { content-visibility: visible; height: auto; }
  summary { display: none; }
}
"""


def _colour_rules() -> str:
    names = ("semantic", "episodic", "procedural", "reflective", "working", "other", "p50", "p95")
    return "".join(
        f".fill-{name} {{ fill: var(--{name}); }}\n.back-{name} {{ background: var(--{name}); }}\n"
        f".line-{name} {{ stroke: var(--{name}); }}\n"
        for name in names
    )


STYLE += _colour_rules()
