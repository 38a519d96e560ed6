#!/usr/bin/python3
"""Opens a report page in headless Chromium as a reader would: no error, charts drawn, hover and switches work.

usage: page_test.py TOOL RESULTS.json [FOLDER FOR SCREENSHOTS]
"""
import json
import pathlib
import subprocess
import sys
import tempfile

from selenium import webdriver
from selenium.webdriver.chrome.service import Service
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--hide-scrollbars",
         "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage"]


def check(truth, what):
    if not truth:
        raise AssertionError(what)


class Page:
    def __init__(self, driver, path, experiments):
        self.driver = driver
        self.experiments = experiments
        driver.get(path.as_uri())

    def js(self, script, *arguments):
        return self.driver.execute_script(script, *arguments)

    def no_console_errors(self):
        severe = [entry for entry in self.driver.get_log("browser") if entry["level"] == "SEVERE"]
        check(not severe, f"console errors: {severe}")

    def charts_are_drawn(self):
        check(self.js("return hemlockCharts.length") == len(self.experiments), "a chart is missing")
        for index, canvas in enumerate(self.driver.find_elements(By.TAG_NAME, "canvas")):
            inked = self.js("""
                const c = arguments[0], d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
                let n = 0; for (let i = 3; i < d.length; i += 4) if (d[i] > 200) ++n; return n;""", canvas)
            check(inked > 500, f"chart {index} is empty: {inked} pixels")
            check(canvas.size["height"] > 100 and canvas.size["width"] > 200, f"chart {index} is too small: {canvas.size}")

    def tables_are_there(self):
        for index, experiment in enumerate(self.experiments):
            rows = self.driver.find_elements(By.CSS_SELECTOR, f"#experiment-{index} tbody tr")
            check(len(rows) == len(experiment["series"]), f"table {index} has {len(rows)} rows")

    def hover_shows_values(self):
        for index, experiment in enumerate(self.experiments):
            canvas = self.driver.find_elements(By.TAG_NAME, "canvas")[index]
            self.js("arguments[0].scrollIntoView({block: 'center'})", canvas)
            # Onto a point that is there: where the first drawn element of the first dataset lies.
            x, y = self.js("""const c = hemlockCharts[arguments[0]].chart, e = c.getDatasetMeta(0).data[0];
                const p = e.tooltipPosition ? e.tooltipPosition() : e, r = c.canvas.getBoundingClientRect();
                return [p.x - r.width / 2, p.y - r.height / 2];""", index)
            ActionChains(self.driver).move_to_element_with_offset(canvas, int(x), int(y) + 2).perform()
            tip = self.js("""const t = hemlockCharts[arguments[0]].chart.tooltip;
                return [t.opacity, t.body.map((part) => part.lines.join(' ')).join('\\n')];""", index)
            names = [line["name"] for line in experiment["series"]]
            check(tip[0] == 1 and any(name in tip[1] for name in names), f"no tooltip on chart {index}: {tip}")

    def shown(self, index):
        return self.js("""const one = hemlockCharts[arguments[0]];
            return one.ranked ? one.chart.data.labels : one.chart.data.datasets.filter((set, i) => one.chart.isDatasetVisible(i)).map((set) => set.label);""", index)

    def series_can_be_switched(self):
        for index, experiment in enumerate(self.experiments):
            button = self.driver.find_element(By.CSS_SELECTOR, f"#experiment-{index} .legend button")
            name = button.get_attribute("data-series")
            check(name in self.shown(index), f"{name} is not shown at first")
            self.js("arguments[0].scrollIntoView({block: 'center'})", button)
            button.click()
            check(name not in self.shown(index), f"{name} is still shown")
            check(button.get_attribute("aria-pressed") == "false", "the switch does not show its state")
            button.click()
            check(name in self.shown(index), f"{name} does not come back")

    def axes_can_be_switched(self):
        for index in range(len(self.experiments)):
            axis = "hemlockCharts[arguments[0]].ranked ? 'x' : 'y'"
            kind = f"return hemlockCharts[arguments[0]].chart.options.scales[{axis}].type"
            before = self.js(kind, index)
            button = self.driver.find_element(By.CSS_SELECTOR, f"#experiment-{index} .controls button")
            self.js("arguments[0].scrollIntoView({block: 'center'})", button)
            button.click()
            check({before, self.js(kind, index)} == {"linear", "logarithmic"}, f"the axis of chart {index} did not change")
            button.click()

    def theme_can_be_switched(self):
        theme = self.driver.find_element(By.ID, "theme")
        self.js("arguments[0].scrollIntoView()", theme)
        colour = "return getComputedStyle(document.body).backgroundColor"
        before = self.js(colour)
        theme.click()
        check(self.js(colour) != before, "the theme did not change")

    def fits(self):
        width, inside = self.js("return [document.documentElement.scrollWidth, window.innerWidth]")
        check(width <= inside, f"the page is {width} wide in a window of {inside}")

    def prints_whole(self):
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        for index in range(len(self.experiments)):
            chart, legend, controls = self.js("""const card = document.querySelector('#experiment-' + arguments[0]);
                const box = (what) => card.querySelector(what).getBoundingClientRect();
                return [box('canvas').bottom, box('.legend').top, box('.controls').height];""", index)
            check(chart <= legend + 1, f"on paper chart {index} lies over its legend: {chart} > {legend}")
            check(controls == 0, f"on paper chart {index} has switches")
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})


def new_driver(profile):
    options = webdriver.ChromeOptions()
    options.binary_location = "/usr/bin/chromium"
    for flag in FLAGS:
        options.add_argument(flag)
    options.add_argument(f"--user-data-dir={profile}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(service=Service("/usr/bin/chromedriver"), options=options)


def main():
    tool, source = sys.argv[1], pathlib.Path(sys.argv[2])
    experiments = json.loads(source.read_text())["experiments"]
    with tempfile.TemporaryDirectory() as scratch:
        path = pathlib.Path(scratch) / "report.html"
        subprocess.run([tool, "report", source, "--html", path], check=True)
        pictures = pathlib.Path(sys.argv[3]) if len(sys.argv) > 3 else None
        driver = new_driver(scratch + "/profile")
        try:
            for width, height in ((1200, 900), (390, 800)):
                driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride",
                                       {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False})
                page = Page(driver, path, experiments)
                for step in (page.charts_are_drawn, page.tables_are_there, page.hover_shows_values,
                             page.series_can_be_switched, page.axes_can_be_switched, page.fits,
                             page.theme_can_be_switched, page.charts_are_drawn, page.prints_whole,
                             page.no_console_errors):
                    step()
                    print(f"{width}: {step.__name__}")
                if pictures:
                    for theme in ("dark", "light"):
                        driver.save_screenshot(str(pictures / f"report-{width}-{theme}.png"))
                        driver.find_element(By.ID, "theme").click()
        finally:
            driver.quit()


if __name__ == "__main__":
    main()
