#!/usr/bin/python3
"""Opens the page of a profile in headless Chromium as a reader would: no error, everything there and to be seen.

usage: page_test.py TOOL TRUTH [FOLDER FOR SCREENSHOTS]
"""
import pathlib
import subprocess
import sys
import tempfile

from selenium.webdriver.common.by import By

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "report" / "page"))
from page_test import check, new_driver  # noqa: E402


class Page:
    def __init__(self, driver, path):
        self.driver = driver
        driver.get(path.as_uri())

    def all(self, selector):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def section(self, lock):
        for one in self.all("section[id^=lock-]"):
            if one.find_element(By.TAG_NAME, "h2").text == lock:
                return one
        raise AssertionError(f"no section for {lock}")

    def says_first_what_matters(self):
        check("of the waiting" in self.driver.find_element(By.TAG_NAME, "h1").text, "no verdict at the top")

    def table_leads_to_each_lock(self):
        rows = self.all("tbody tr")
        check(rows and "g_busy" in rows[0].text, "g_busy is not the first of the table")
        for row in rows:
            target = row.find_element(By.TAG_NAME, "a").get_attribute("href").split("#")[1]
            check(len(self.all(f"#{target}")) == 1, f"{target} is not there")

    def histograms_are_drawn(self):
        figures = self.section("g_busy").find_elements(By.CSS_SELECTOR, "figure")
        check(len(figures) == 2, f"{len(figures)} histograms")
        for figure in figures:
            bars = figure.find_elements(By.CSS_SELECTOR, "rect")
            check(bars and all(bar.size["height"] >= 1 for bar in bars), "a bar cannot be seen")
            check("ms" in figure.text, f"no times below the histogram: {figure.text}")

    def stacks_tell_who(self):
        text = self.section("g_busy").text
        blamed, waited = text.index("Held there while others waited"), text.index("Waited there")
        check("slow_holder" in text[blamed:waited], "the holder is not blamed")
        check("patient_waiter" in text[waited:], "the waiter is not named")
        opened = self.section("g_busy").find_elements(By.CSS_SELECTOR, "details[open] li")
        check(any("slow_holder" in line.text for line in opened), "the first stack is not open")

    def order_shows_the_circle(self):
        graph = self.driver.find_element(By.CSS_SELECTOR, "svg[aria-label='Lock order']")
        names = [text.text for text in graph.find_elements(By.CSS_SELECTOR, "text.name")]
        check("g_first" in names and "g_second" in names, f"names: {names}")
        check(len(graph.find_elements(By.CSS_SELECTOR, "path[stroke='var(--alarm)']")) == 2, "no circle in red")
        box = graph.rect
        for text in graph.find_elements(By.CSS_SELECTOR, "text.name"):
            check(text.rect["x"] >= box["x"] - 1 and text.rect["x"] + text.rect["width"] <= box["x"] + box["width"] + 1,
                  f"{text.text} is cut off")

    def can_be_read(self):
        ink, paper = self.driver.execute_script("""
            const light = (c) => c.match(/[0-9.]+/g).slice(0, 3).reduce((sum, n) => sum + Number(n), 0);
            const style = getComputedStyle(document.body);
            return [light(style.color), light(style.backgroundColor)];""")
        check(abs(ink - paper) > 400, f"ink {ink} on paper {paper}")

    def theme_can_be_switched(self):
        colour = "return getComputedStyle(document.body).backgroundColor"
        before = self.driver.execute_script(colour)
        self.driver.find_element(By.ID, "theme").click()
        check(self.driver.execute_script(colour) != before, "the theme did not change")

    def fits(self):
        width, inside = self.driver.execute_script("return [document.documentElement.scrollWidth, window.innerWidth]")
        check(width <= inside, f"the page is {width} wide in a window of {inside}")

    def no_console_errors(self):
        severe = [entry for entry in self.driver.get_log("browser") if entry["level"] in ("SEVERE", "WARNING")]
        check(not severe, f"console: {severe}")


def main():
    tool, truth = sys.argv[1], sys.argv[2]
    with tempfile.TemporaryDirectory() as scratch:
        profile = pathlib.Path(scratch) / "a.prof"
        path = pathlib.Path(scratch) / "page.html"
        subprocess.run([tool, "profile", "-q", "-o", profile, "--", truth], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([tool, "report", profile, "--html", path], check=True)
        pictures = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
        driver = new_driver(scratch + "/profile")
        try:
            for width, height in ((1200, 900), (390, 800)):
                driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                       {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
                page = Page(driver, path)
                for theme in ("light", "dark"):
                    for step in (page.says_first_what_matters, page.table_leads_to_each_lock,
                                 page.histograms_are_drawn, page.stacks_tell_who, page.order_shows_the_circle,
                                 page.can_be_read, page.fits, page.no_console_errors):
                        step()
                        print(f"{width} {theme}: {step.__name__}")
                    if pictures:
                        tall = driver.execute_script("return document.documentElement.scrollHeight")
                        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {
                            "width": width, "height": min(tall, 4000), "deviceScaleFactor": 1, "mobile": False})
                        driver.save_screenshot(str(pictures / f"profile-{width}-{theme}.png"))
                    driver.execute_script("scrollTo(0, 0)")
                    page.theme_can_be_switched()
        finally:
            driver.quit()


if __name__ == "__main__":
    main()
