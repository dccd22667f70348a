import type { PageData } from '../page-data.ts';
import { burstChart } from './burst-chart.ts';
import { mountChart } from './chart.ts';
import { mountControls } from './controls.ts';
import { frontierChart } from './frontier-chart.ts';
import { inWindowChart } from './in-window-chart.ts';
import { nightLatencyChart, nightsChart } from './nights-charts.ts';
import { remainingChart } from './remaining-chart.ts';
import { resetChart } from './reset-chart.ts';
import { returnsChart } from './returns-chart.ts';
import { mountZoomChart } from './zoom-chart.ts';

const data = JSON.parse(document.querySelector('#page-data')?.textContent ?? '{}') as PageData;

mountControls();
for (const holder of document.querySelectorAll<HTMLElement>('[data-chart]')) mount(holder);

function mount(holder: HTMLElement): void {
  const { chart, at = '0' } = holder.dataset;
  const figure = holder.closest('figure');
  const timeline = data.timelines[Number(at)];
  const returns = data.returns[Number(at)];
  const burst = data.bursts[Number(at)];
  if (figure === null) return;
  if (chart === 'frontier' && data.frontier !== null) mountChart(holder, frontierChart(data.frontier));
  if (data.nights !== null) {
    if (chart === 'nights') mountChart(holder, nightsChart(data.nights, data.windowMs / 1_000));
    if (chart === 'night-latency') mountChart(holder, nightLatencyChart(data.nights));
  }
  if (chart === 'burst' && burst !== undefined) mountChart(holder, burstChart(burst));
  if (chart === 'returns' && returns !== undefined) mountZoomChart(figure, () => returnsChart(returns));
  if (timeline === undefined) return;
  if (chart === 'in-window') mountZoomChart(figure, () => inWindowChart(timeline));
  if (chart === 'remaining') mountZoomChart(figure, () => remainingChart(timeline));
  if (chart === 'reset') mountZoomChart(figure, () => resetChart(timeline, data.windowMs));
}
