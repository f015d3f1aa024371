"""The page looked at by headless Chromium: on a wide screen, on a phone, in the dark and on paper."""

from __future__ import annotations

import base64
import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import fake_run as fake
import pytest

from treeforge.pipeline.run import run as run_pipeline
from treeforge.report import ReportData, html, load
from treeforge.report.build import build

pytestmark = pytest.mark.slow
ROOT = Path(__file__).resolve().parents[2]
REAL = """
treeforge: 1
datasets: [{data}/iris.arff, {data}/labor.arff, {data}/contact-lenses.arff, {data}/vote.arff]
algorithms:
  C4.5: {{splitter: c45}}
  unpruned: {{splitter: c45, pruner: none}}
metrics: [accuracy, size, fit_seconds]
comparisons: [{{test: wilcoxon, metric: accuracy}}]
report: [csv]
"""

FLAGS = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
]

# Text that is wider than its picture, or lies on other text of the same picture.
OVERLAPS = """
const bad = [];
for (const svg of document.querySelectorAll('svg.figure')) {
  const frame = svg.getBoundingClientRect();
  if (!frame.width) continue;
  const boxes = [...svg.querySelectorAll('text')].map(t => [t.textContent, t.getBoundingClientRect()]);
  boxes.forEach(([name, b], i) => {
    const out = [frame.left - b.left, b.right - frame.right, frame.top - b.top, b.bottom - frame.bottom];
    if (Math.max(...out) > 4)
      bad.push(svg.querySelector('title').textContent + ': outside: ' + name);
    for (const [other, o] of boxes.slice(i + 1)) {
      const w = Math.min(b.right, o.right) - Math.max(b.left, o.left);
      const h = Math.min(b.bottom, o.bottom) - Math.max(b.top, o.top);
      if (w > 1 && h > 4) bad.push(svg.querySelector('title').textContent + ': ' + name + ' on ' + other);
    }
  });
}
return bad;
"""

# What makes the page scroll sideways; tables and code scroll inside their own frame.
TOO_WIDE = """
const wide = [...document.querySelectorAll('body *')].filter(e => !e.closest('.scroll, pre, nav, .spoken, .skip')
  && e.getBoundingClientRect().right > innerWidth + 1).map(e => e.tagName + '.' + (e.className.baseVal ?? e.className));
return [document.documentElement.scrollWidth - innerWidth, wide];
"""

# Contrast of all text against what lies behind it (WCAG 2.1): 4.5, or 3 for large text.
CONTRAST = """
const rgb = c => c.match(/[\\d.]+/g).map(Number);
const linear = v => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
const light = c => { const [r, g, b] = c.map(v => linear(v / 255));
  return .2126 * r + .7152 * g + .0722 * b; };
const behind = e => { for (; e; e = e.parentElement) { const c = rgb(getComputedStyle(e).backgroundColor);
  if (c.length < 4 || c[3] === 1) return c.slice(0, 3); } return [255, 255, 255]; };
const bad = {};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const e = walker.currentNode.parentElement;
  if (!walker.currentNode.textContent.trim() || !e.checkVisibility()) continue;
  if (e.closest('style, title, desc, .spoken')) continue;
  const style = getComputedStyle(e), svg = e.closest('svg');
  const ink = rgb(svg ? style.fill : style.color).slice(0, 3);
  let ground = behind(svg ? svg.parentElement : e);
  const bar = /^on-(\\w+)/.exec(e.className.baseVal ?? '');
  if (bar) ground = rgb(getComputedStyle(svg.querySelector('rect.' + bar[1])).fill).slice(0, 3);
  const [a, b] = [light(ink), light(ground)].sort((x, y) => y - x);
  const needed = parseFloat(style.fontSize) >= 24 ? 3 : 4.5;
  const found = (a + .05) / (b + .05);
  if (found < needed) bad[(e.className.baseVal ?? e.className) || e.tagName] = found.toFixed(2);
}
return bad;
"""


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed")
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    driver = shutil.which("chromedriver")
    if chromium is None or driver is None:
        pytest.skip("there is no Chromium with its chromedriver here (Debian: chromium chromium-driver)")
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for flag in [*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"]:
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chrome = webdriver.Chrome(options=options, service=webdriver.ChromeService(driver))
    yield chrome
    chrome.quit()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, data: ReportData, hostile: ReportData) -> dict[str, Path]:
    """A usual run, one with hostile names, a grid of 18 points with 40 folds each, and a run that did happen."""
    names = {
        f"{s} {p} m={m}": {"splitter": s, "pruner": p, "min_branch": m}
        for s in ("c45", "msd", "amsd") for p in ("none", "error_based", "pessimistic") for m in ("2", "5")
    }  # fmt: skip
    rows = fake.rows(fake.DATASETS[:7], list(names), folds=10, repeats=4)
    run = fake.run(rows)
    run["algorithms"] = [{"name": n, "factors": f} for n, f in names.items()]
    run["comparisons"].append(fake.comparison(rows, test="friedman", posthoc="nemenyi"))
    run["comparisons"].append(fake.comparison(rows, test="corrected_t", control="c45 none m=2"))
    folder = tmp_path_factory.mktemp("pages")
    (folder / "p.yaml").write_text(REAL.format(data=ROOT / "arff_data"))
    run_pipeline(folder / "p.yaml", folder / "run")
    real = load(folder / "run")
    for name, report in {"usual": data, "hostile": hostile, "grid": build(rows, run), "real": real}.items():
        (folder / f"{name}.html").write_text(html.render(report), encoding="utf-8")
    return {path.stem: path for path in folder.glob("*.html")}


def show(browser: Any, path: Path, width: int, *, dark: bool = False, media: str = "") -> None:
    """Open a page in a window of some width, with all that folds unfolded."""
    size = {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 500}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media, "features": [scheme]})
    browser.get(path.as_uri())
    browser.execute_script("for (const d of document.querySelectorAll('details')) d.open = true")


@pytest.mark.parametrize("name", ["usual", "hostile", "grid", "real"])
@pytest.mark.parametrize("width", [1100, 390, 320])
def test_nothing_overlaps_nothing_sticks_out_and_the_console_is_silent(
    browser: Any, pages: dict[str, Path], name: str, width: int
) -> None:
    show(browser, pages[name], width)
    assert browser.get_log("browser") == []
    sideways, wide = browser.execute_script(TOO_WIDE)
    assert wide == []
    assert sideways <= 0
    assert browser.execute_script(OVERLAPS) == []


@pytest.mark.parametrize("dark", [False, True])
@pytest.mark.parametrize("name", ["usual", "grid", "real"])
def test_all_text_has_the_contrast_that_people_need(
    browser: Any, pages: dict[str, Path], name: str, dark: bool
) -> None:
    show(browser, pages[name], 1100, dark=dark)
    ground = browser.execute_script("return getComputedStyle(document.body).backgroundColor")
    assert (sum(json.loads(ground.replace("rgb(", "[").replace(")", "]"))) < 200) is dark
    assert browser.execute_script(CONTRAST) == {}


def test_hostile_names_are_seen_as_text(browser: Any, pages: dict[str, Path]) -> None:
    """Case X01."""
    show(browser, pages["hostile"], 1100)
    seen = browser.execute_script("return document.body.innerText")
    for name in fake.HOSTILE:
        assert name in seen
    assert browser.execute_script("return document.querySelectorAll('b, script').length") == 0
    assert browser.title.startswith("</script><b>")


def test_phone_gets_figures_of_its_own(browser: Any, pages: dict[str, Path]) -> None:
    count = "return [...document.querySelectorAll('svg.{}')].filter(e => e.checkVisibility()).length"
    show(browser, pages["usual"], 390)
    assert browser.execute_script(count.format("wide")) == 0
    assert browser.execute_script(count.format("narrow")) > 2
    size = browser.execute_script(
        "return [...document.querySelectorAll('svg.figure')].filter(e => e.checkVisibility())"
        ".map(e => e.getBoundingClientRect().width / e.viewBox.baseVal.width)"
    )
    assert min(size) > 0.9  # text in figures is not made smaller to fit


def test_keyboard_reaches_the_report_and_unfolds_it(browser: Any, pages: dict[str, Path]) -> None:
    keys = pytest.importorskip("selenium.webdriver.common.keys").Keys
    show(browser, pages["usual"], 1100)
    browser.execute_script("for (const d of document.querySelectorAll('details')) d.open = false")
    browser.find_element("css selector", "body").send_keys(keys.TAB)
    assert browser.execute_script("return document.activeElement.className") == "skip"
    browser.switch_to.active_element.send_keys(keys.ENTER)
    for _ in range(40):
        browser.switch_to.active_element.send_keys(keys.TAB)
        if browser.execute_script("return document.activeElement.tagName") == "SUMMARY":
            break
    browser.switch_to.active_element.send_keys(keys.ENTER)
    assert browser.execute_script("return document.activeElement.parentElement.open")


def test_paper_shows_what_a_reader_cannot_unfold(browser: Any, pages: dict[str, Path]) -> None:
    show(browser, pages["usual"], 690, dark=True, media="print")
    browser.execute_script("for (const d of document.querySelectorAll('details')) d.open = false")
    assert (
        browser.execute_script("return getComputedStyle(document.body).backgroundColor")
        == "rgb(255, 255, 255)"
    )
    assert not browser.execute_script("return document.querySelector('nav').checkVisibility()")
    folded = browser.execute_script(
        "return [...document.querySelectorAll('details.paper table')].filter(e => "
        "!e.getBoundingClientRect().height).length"
    )
    assert folded == 0
    assert browser.execute_script(OVERLAPS) == []
    sideways, wide = browser.execute_script(TOO_WIDE)
    assert wide == []
    assert sideways <= 0
    paper = browser.execute_cdp_cmd("Page.printToPDF", {"preferCSSPageSize": True})
    pdf = base64.b64decode(paper["data"])
    assert pdf.startswith(b"%PDF")
    assert len(pdf) > 50_000
