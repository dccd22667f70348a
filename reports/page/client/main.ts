import type { PageData } from '../page-data.ts';
import { mountChart } from './chart.ts';
import { mountCopyButtons } from './copy.ts';
import { frontierChart } from './frontier-chart.ts';

const data = JSON.parse(document.querySelector('#page-data')?.textContent ?? '{}') as PageData;

for (const holder of document.querySelectorAll<HTMLElement>('[data-chart]')) {
  const { chart } = holder.dataset;
  if (chart === 'frontier' && data.frontier !== null) mountChart(holder, frontierChart(data.frontier));
}

mountCopyButtons();
