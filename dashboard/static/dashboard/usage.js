// The chart of six months. Its numbers are in the table below it, which is all that there is without scripts.

import uPlot from "./vendor/uplot/uplot.esm.js";

const months = JSON.parse(document.querySelector("#usage-data").textContent);
const holder = document.querySelector("#usage-chart");

/** A colour of the theme as canvas takes it: `light-dark()` is resolved on an element. */
function colour(name) {
  const probe = document.createElement("span");
  probe.className = `colour-${name}`;
  holder.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}

let chart = null;

function draw() {
  chart?.destroy();
  const faint = colour("faint");
  const line = colour("line");
  const font = `12px ${getComputedStyle(document.body).fontFamily}`;
  const most = Math.max(1, ...months.map((month) => month.documents));
  chart = new uPlot(
    {
      width: holder.clientWidth,
      height: holder.clientHeight,
      padding: [12, 0, 8, 0],
      cursor: { show: false },
      legend: { show: false },
      scales: { x: { time: false, range: [-0.5, months.length - 0.5] }, y: { range: [0, most * 1.08] } },
      axes: [
        { show: false },
        {
          side: 1, size: 44, gap: 6, font, stroke: faint, ticks: { show: false },
          grid: { stroke: line, width: 1 }, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 2e6, 5e6, 1e7],
          space: 44, values: (_, splits) => splits.map((value) => value.toLocaleString("en", { notation: value < 1e4 ? "standard" : "compact" })),
        },
      ],
      series: [
        {},
        { stroke: colour("bar"), fill: colour("bar"), width: 0, points: { show: false }, paths: uPlot.paths.bars({ size: [0.42, 72], radius: 0.12 }) },
      ],
    },
    [months.map((_, index) => index), months.map((month) => month.documents)],
    holder,
  );
}

holder.hidden = false;
document.querySelector("#usage-table").classList.add("under-chart");
draw();
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", draw);
let width = holder.clientWidth;
new ResizeObserver(() => {
  if (holder.clientWidth === width || !holder.clientWidth) return;
  width = holder.clientWidth;
  chart.setSize({ width, height: holder.clientHeight });
}).observe(holder);
