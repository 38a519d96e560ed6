// Draws the charts of a report from the document inside the page. No network, no storage.
(function () {
  'use strict';
  const root = document.documentElement;
  const data = JSON.parse(document.getElementById('hemlock-data').textContent);
  const systemDark = window.matchMedia('(prefers-color-scheme: dark)');

  // Hues that stay apart for readers with colour-vision deficiencies come first; shapes and dashes tell the rest.
  const hues = {
    light: ['#1f6f5c', '#d1495b', '#3066be', '#b7791f', '#7d4fb5', '#0f8aa8', '#8a4b2f', '#5f7d1c', '#c2478f', '#4b5563'],
    dark: ['#5cc8a8', '#ff8a93', '#7fb0ff', '#f2c14e', '#bd9bf0', '#5fd4ee', '#dca07f', '#b4d455', '#f59ad0', '#a9b4c2'],
  };
  const dashes = [[], [7, 4], [2, 3], [9, 3, 2, 3]];
  const shapes = ['circle', 'rect', 'triangle', 'rectRot', 'star'];
  const look = (index) => ({
    colour: hues[root.dataset.theme][index % 10],
    dash: dashes[Math.floor(index / 10) % dashes.length],
    shape: shapes[(index + Math.floor(index / 10)) % shapes.length],
  });
  const ink = (name) => getComputedStyle(root).getPropertyValue(name).trim();

  const threeDigits = (value) => (value === 0 ? '0' : Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3))));
  const steps = {
    s: [[1, 's'], [1e-3, 'ms'], [1e-6, 'µs'], [1e-9, 'ns']],
    B: [[1073741824, 'GiB'], [1048576, 'MiB'], [1024, 'KiB'], [1, 'B']],
  };
  function quantity(value, unit, withUnit) {
    if (value === null || !isFinite(value)) return '–';
    if (steps[unit]) {
      const [factor, name] = steps[unit].find(([size]) => Math.abs(value) >= size * 0.9995) || steps[unit][steps[unit].length - 1];
      return threeDigits(value / factor) + ' ' + name;
    }
    const [factor, prefix] = [[1e12, 'T'], [1e9, 'G'], [1e6, 'M'], [1e3, 'k']].find(([size]) => Math.abs(value) >= size * 0.9995) || [1, ''];
    return threeDigits(value / factor) + (prefix ? ' ' + prefix : '') + (withUnit && unit ? ' ' + unit : '');
  }

  // The interval of the middle half of the samples, as a whisker at each point or bar.
  const whiskers = {
    id: 'whiskers',
    afterDatasetsDraw(chart) {
      if (!chart.$spread) return;
      const context = chart.ctx;
      chart.data.datasets.forEach((set, index) => {
        const meta = chart.getDatasetMeta(index);
        if (!chart.isDatasetVisible(index)) return;
        context.save();
        context.strokeStyle = chart.config.type === 'bar' ? ink('--ink') : set.borderColor;
        context.lineWidth = 1.25;
        context.globalAlpha = set.$faded ? 0.15 : 0.8;
        meta.data.forEach((element, place) => {
          const value = set.$values[place];
          if (!value || value.y === null) return;
          const scale = chart.options.indexAxis === 'y' ? chart.scales.x : chart.scales.y;
          const [low, high] = [scale.getPixelForValue(value.q1), scale.getPixelForValue(value.q3)];
          if (!isFinite(low) || !isFinite(high)) return;
          // Along the value's axis at the middle of the other, with a small cap at either end.
          const at = chart.options.indexAxis === 'y' ? (along, across) => [along, element.y + across] : (along, across) => [element.x + across, along];
          context.beginPath();
          context.moveTo(...at(low, 0));
          context.lineTo(...at(high, 0));
          for (const end of [low, high]) { context.moveTo(...at(end, -4)); context.lineTo(...at(end, 4)); }
          context.stroke();
        });
        context.restore();
      });
    },
  };

  function pointOf(point, factor, inverse) {
    const s = point.summary;
    if (s.median === null) return null;
    const scale = (value) => (factor === null ? value : inverse ? factor / value : value / factor);
    const ends = [scale(s.q1), scale(s.q3)];
    return { x: point.x, y: scale(s.median), q1: Math.min(...ends), q3: Math.max(...ends), n: s.count, marks: point.marks || [], failures: point.failures || [] };
  }

  class ExperimentChart {
    constructor(experiment, section) {
      this.experiment = experiment;
      this.section = section;
      this.named = Boolean(experiment.x.labels);
      this.ranked = this.named && experiment.x.labels.length === 1; // one figure per series: bars on their side, best on top
      this.measured = experiment.series.some((line) => line.points.some((point) => point.samples.length > 1));
      this.ratio = false;
      this.spread = true;
      this.logY = experiment.y.scale === 'logarithmic';
      this.logX = experiment.x.scale === 'logarithmic';
      this.hidden = new Set();
      this.places = [...new Set(experiment.series.flatMap((line) => line.points.map((point) => point.x)))].sort((a, b) => a - b);
      this.buildControls();
      this.buildLegend();
      this.draw();
    }

    buildControls() {
      const bar = this.section.querySelector('.controls');
      const toggle = (text, title, get, set) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.className = 'toggle';
        button.textContent = text;
        button.title = title;
        const show = () => button.setAttribute('aria-pressed', String(get()));
        button.addEventListener('click', () => { set(!get()); show(); this.draw(); });
        show();
        bar.append(button);
      };
      toggle(this.ranked ? 'log scale' : 'log y', 'Logarithmic axis of values', () => this.logY, (value) => { this.logY = value; });
      if (!this.named && this.places[0] > 0) toggle('log x', 'Logarithmic horizontal axis', () => this.logX, (value) => { this.logX = value; });
      if (this.measured) toggle('spread', 'The middle half of the samples, as a whisker', () => this.spread, (value) => { this.spread = value; });
      if (this.experiment.baseline && this.experiment.series.some((line) => line.name === this.experiment.baseline)) {
        toggle('relative to ' + this.experiment.baseline, 'Ratio of medians; above 1 is better', () => this.ratio, (value) => { this.ratio = value; });
      }
      const only = (text, hide) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.textContent = text;
        button.addEventListener('click', () => {
          this.hidden = new Set(hide ? this.experiment.series.map((line) => line.name) : []);
          this.refreshLegend();
          this.draw();
        });
        bar.append(button);
      };
      if (this.experiment.series.length > 3) { only('all', false); only('none', true); }
    }

    buildLegend() {
      const legend = this.section.querySelector('.legend');
      this.buttons = this.experiment.series.map((line, index) => {
        const button = document.createElement('button');
        button.type = 'button';
        button.dataset.series = line.name;
        button.innerHTML = '<svg width="22" height="10" aria-hidden="true"><line x1="1" y1="5" x2="21" y2="5" stroke-width="3" stroke-linecap="round"/></svg>';
        button.append(line.name);
        button.addEventListener('click', () => {
          if (!this.hidden.delete(line.name)) this.hidden.add(line.name);
          this.refreshLegend();
          this.draw();
        });
        button.addEventListener('mouseenter', () => this.fade(index));
        button.addEventListener('mouseleave', () => this.fade(null));
        legend.append(button);
        return button;
      });
      this.refreshLegend();
    }

    refreshLegend() {
      this.buttons.forEach((button, index) => {
        const { colour, dash } = look(index);
        const line = button.querySelector('line');
        line.setAttribute('stroke', colour);
        line.setAttribute('stroke-dasharray', dash.join(' '));
        button.setAttribute('aria-pressed', String(!this.hidden.has(button.dataset.series)));
      });
    }

    fade(kept) {
      if (this.ranked) {
        const set = this.chart.data.datasets[0];
        set.backgroundColor = set.$lines.map((index) => look(index).colour + (kept === null || kept === index ? 'd0' : '30'));
        this.chart.update('none');
        return;
      }
      this.chart.data.datasets.forEach((set, index) => {
        const { colour } = look(index);
        set.$faded = kept !== null && kept !== index;
        const shown = set.$faded ? colour + '30' : colour;
        set.borderColor = shown;
        set.backgroundColor = this.named ? (set.$faded ? colour + '30' : colour + 'd0') : shown;
      });
      this.chart.update('none');
    }

    datasets() {
      const { experiment } = this;
      const base = experiment.series.find((line) => line.name === experiment.baseline);
      return experiment.series.map((line, index) => {
        const { colour, dash, shape } = look(index);
        const values = this.places.map((x) => {
          const point = line.points.find((one) => one.x === x);
          if (!point) return { x, y: null, marks: [], failures: [] };
          let factor = null;
          if (this.ratio) {
            const against = base.points.find((one) => one.x === x);
            if (!against || against.summary.median === null) return { x, y: null, marks: [], failures: [] };
            factor = against.summary.median;
          }
          return pointOf(point, factor, experiment.better === 'lower') || { x, y: null, marks: [], failures: [] };
        });
        if (this.named) values.forEach((value) => { value.label = experiment.x.labels[value.x]; });
        const marked = values.map((value) => value.y !== null && (value.marks.length > 0 || value.failures.length > 0));
        const common = { label: line.name, data: values, $values: values, borderColor: colour, hidden: this.hidden.has(line.name) };
        if (this.named) return { ...common, backgroundColor: colour + 'd0', borderWidth: 0, borderRadius: 4, maxBarThickness: 46 };
        return {
          ...common, backgroundColor: colour, borderDash: dash, borderWidth: 2, pointStyle: shape, spanGaps: true, tension: 0,
          pointRadius: marked.map((is) => (is ? 5.5 : 3.5)), pointHoverRadius: 7, pointBorderWidth: 2,
          pointBackgroundColor: marked.map((is) => (is ? ink('--card') : colour)),
        };
      });
    }

    rankedData(sets) {
      const sign = this.experiment.better === 'lower' && !this.ratio ? 1 : -1;
      const rows = sets
        .map((set, index) => ({ name: set.label, index, value: set.$values[0] }))
        .filter((row) => !this.hidden.has(row.name) && row.value && row.value.y !== null)
        .sort((a, b) => sign * (a.value.y - b.value.y));
      this.section.querySelector('.canvas').style.height = 5 + 1.9 * Math.max(rows.length, 2) + 'rem';
      return {
        labels: rows.map((row) => row.name),
        datasets: [{
          data: rows.map((row) => row.value.y), $values: rows.map((row) => row.value), $lines: rows.map((row) => row.index),
          backgroundColor: rows.map((row) => look(row.index).colour + 'd0'), borderRadius: 4, barPercentage: 0.85, categoryPercentage: 0.9,
        }],
      };
    }

    draw() {
      const { experiment } = this;
      const canvas = this.section.querySelector('canvas');
      const sets = this.datasets();
      const unit = this.ratio ? '' : experiment.y.unit;
      const font = { family: getComputedStyle(document.body).fontFamily, size: 12 };
      const title = (text) => ({ display: Boolean(text), text, color: ink('--soft'), font: { ...font, size: 13 } });
      const grid = { color: ink('--line') };
      const axisName = (axis) => axis.name + (axis.unit && axis.unit !== axis.name && !steps[axis.unit] ? ' (' + axis.unit + ')' : '');
      const yTitle = this.ratio ? experiment.y.name + ' relative to ' + experiment.baseline + ', above 1 is better'
        : axisName(experiment.y) + (experiment.better === 'neither' ? '' : experiment.better === 'higher' ? ', more is better' : ', less is better');
      const x = this.named
        ? { type: 'category', labels: this.places.map((place) => experiment.x.labels[place]), grid: { display: false }, ticks: { color: ink('--soft'), font } }
        : {
          type: this.logX ? 'logarithmic' : 'linear', title: title(axisName(experiment.x)), grid,
          min: this.places[0], max: this.places[this.places.length - 1],
          afterBuildTicks: (axis) => { if (this.places.length <= 16) axis.ticks = this.places.map((value) => ({ value })); },
          ticks: { color: ink('--soft'), font, autoSkip: true, maxRotation: 0, callback: (value) => String(value) },
        };
      const top = Math.max(...sets.filter((set) => !set.hidden).flatMap((set) => set.$values.map((value) => value.q3 || 0)), 0);
      const y = {
        type: this.logY ? 'logarithmic' : 'linear', beginAtZero: true, suggestedMax: top > 0 ? top * (this.logY ? 1.3 : 1.04) : undefined, title: title(yTitle), grid,
        ticks: {
          color: ink('--soft'), font, maxTicksLimit: 9,
          callback: (value) => (this.logY && !/^[125]/.test(value.toExponential()) ? null : quantity(value, unit, false)),
        },
      };
      const names = { type: 'category', grid: { display: false }, ticks: { color: ink('--ink'), font, autoSkip: false } };
      const valueOf = (item) => item.dataset.$values[item.dataIndex];
      const nameOf = (item) => (this.ranked ? item.label : item.dataset.label);
      if (this.chart) this.chart.destroy();
      this.chart = new Chart(canvas, {
        type: this.named ? 'bar' : 'line',
        data: this.ranked ? this.rankedData(sets) : { datasets: sets },
        options: {
          parsing: this.named && !this.ranked ? { xAxisKey: 'label', yAxisKey: 'y' } : {},
          indexAxis: this.ranked ? 'y' : 'x',
          responsive: true, maintainAspectRatio: false, animation: false,
          interaction: { mode: this.named && !this.ranked ? 'nearest' : 'index', intersect: this.named && !this.ranked, axis: this.ranked ? 'y' : 'x' },
          scales: this.ranked ? { x: y, y: names } : { x, y },
          plugins: {
            legend: { display: false },
            tooltip: {
              backgroundColor: ink('--ink'), titleColor: ink('--card'), bodyColor: ink('--card'), footerColor: ink('--card'),
              bodyFont: font, titleFont: font, footerFont: { ...font, weight: 'normal' }, padding: 10, usePointStyle: true,
              itemSort: (a, b) => (experiment.better === 'lower' && !this.ratio ? a.parsed.y - b.parsed.y : b.parsed.y - a.parsed.y),
              callbacks: {
                title: (items) => (items.length === 0 ? '' : this.ranked ? '' : this.named ? items[0].raw.label : items[0].parsed.x + ' ' + experiment.x.name),
                label: (item) => {
                  const value = valueOf(item);
                  const figure = ' ' + nameOf(item) + ': ' + quantity(value.y, unit, true);
                  return value.n < 2 ? figure : figure + '  (' + quantity(value.q1, unit, false) + ' … ' + quantity(value.q3, unit, false) + ', ' + value.n + ' runs)';
                },
                footer: (items) => [...new Set(items.flatMap((item) => [...valueOf(item).marks, ...valueOf(item).failures.map((one) => 'failed: ' + one)]
                  .map((note) => '! ' + nameOf(item) + ': ' + note)))].slice(0, 6),
              },
            },
          },
        },
        plugins: [whiskers],
      });
      this.chart.$spread = this.spread && this.measured;
      this.chart.update('none');
    }
  }

  const charts = [];
  function applyTheme(theme) {
    root.dataset.theme = theme;
    document.getElementById('theme').textContent = theme === 'dark' ? 'light' : 'dark';
    charts.forEach((one) => { one.refreshLegend(); one.draw(); });
  }
  applyTheme(systemDark.matches ? 'dark' : 'light');
  data.experiments.forEach((experiment, index) => {
    const section = document.getElementById('experiment-' + index);
    if (section.querySelector('canvas')) charts.push(new ExperimentChart(experiment, section));
  });
  document.getElementById('theme').addEventListener('click', () => applyTheme(root.dataset.theme === 'dark' ? 'light' : 'dark'));
  systemDark.addEventListener('change', (event) => applyTheme(event.matches ? 'dark' : 'light'));
  document.getElementById('save').addEventListener('click', () => {
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }));
    link.download = 'hemlock-results.json';
    link.click();
    URL.revokeObjectURL(link.href);
  });
  // Paper is white, whatever the screen is.
  let before = null;
  window.addEventListener('beforeprint', () => { before = root.dataset.theme; applyTheme('light'); });
  window.addEventListener('afterprint', () => { if (before) applyTheme(before); });
  window.hemlockCharts = charts;
}());
