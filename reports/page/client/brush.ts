import type { DrawnChart } from './chart.ts';

/** Dragging with a mouse or a pen selects a part of the axis; fingers scroll the page. */
export function brushable(drawn: DrawnChart, onBrush: (from: number, to: number) => void): void {
  const svg = drawn instanceof SVGSVGElement ? drawn : drawn.querySelector('svg');
  const scale = drawn.scale('x');
  if (svg === null || scale?.invert === undefined) return;
  const { invert } = scale;
  const px = (event: PointerEvent): number => event.clientX - svg.getBoundingClientRect().left;
  const onDown = (down: PointerEvent): void => {
    if (down.button !== 0 || down.pointerType === 'touch') return;
    const startPx = px(down);
    const rect = document.createElementNS(svgNamespace, 'rect');
    rect.setAttribute('class', 'brush');
    rect.setAttribute('y', '0');
    rect.setAttribute('height', '100%');
    svg.append(rect);
    const onMove = (move: PointerEvent): void => {
      rect.setAttribute('x', String(Math.min(startPx, px(move))));
      rect.setAttribute('width', String(Math.abs(px(move) - startPx)));
    };
    const onEnd = (end: PointerEvent): void => {
      removeEventListener('pointermove', onMove);
      rect.remove();
      if (end.type === 'pointercancel' || Math.abs(px(end) - startPx) < dragPx) return;
      const [from, to] = [startPx, px(end)].sort((left, right) => left - right) as [number, number];
      onBrush(Number(invert(from)), Number(invert(to)));
    };
    addEventListener('pointermove', onMove);
    addEventListener('pointerup', onEnd, { once: true });
    addEventListener('pointercancel', onEnd, { once: true });
  };
  // In the capture phase: the tips of Plot stop the event.
  svg.addEventListener('pointerdown', onDown, { capture: true });
}

const svgNamespace = 'http://www.w3.org/2000/svg';

/** A drag shorter than this is a click, px. */
const dragPx = 6;
