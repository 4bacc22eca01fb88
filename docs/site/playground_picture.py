"""The picture of the playground in docs/images, taken by Chromium of a site that is built for it.

python docs/site/playground_picture.py [--dark FILE.png] [--phone FILE.png]

Needs what `screenshots.py` needs, and what `playground.py` has fetched.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path
from typing import Any

import playground
from playwright.sync_api import sync_playwright
from screenshots import IMAGES, serve

WIDE, NARROW = (1280, 900), (390, 844)


def take(browser: Any, site: str, image: Path, scheme: str, size: tuple[int, int]) -> None:
    """The page with the pointer on a tracer."""
    page = browser.new_page(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
    page.goto(f"{site}playground/")
    page.wait_for_selector(".playground[data-traced] .fix", timeout=60_000)
    if size == WIDE:
        letters = page.locator(".colours .keyword", has_text="if").bounding_box()
        middle = letters["y"] + letters["height"] / 2
        page.mouse.move(letters["x"] + 5.75 * letters["width"], middle)
        page.wait_for_selector(".tip:visible")
    page.screenshot(path=image)
    print(image)
    page.close()


def main() -> int:
    """Takes the picture; 2 without a browser or without what the playground runs on."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dark", type=Path)
    parser.add_argument("--phone", type=Path)
    asked = parser.parse_args()
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if chromium is None or not playground.is_fetched():
        print("playground_picture: Chromium and `python docs/site/playground.py` come first", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as name, sync_playwright() as driver:
        site = serve(Path(name))
        browser = driver.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        take(browser, site, IMAGES / "playground.png", "light", WIDE)
        if asked.dark is not None:
            take(browser, site, asked.dark, "dark", WIDE)
        if asked.phone is not None:
            take(browser, site, asked.phone, "dark", NARROW)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
