import type * as Plot from '@observablehq/plot';

/** Draws a chart of a given width, px. */
export type Draw = (width: number) => Element;

/** What Plot draws, with its scales. */
export type DrawnChart = (SVGSVGElement | HTMLElement) & Plot.Plot;

/** Charts are drawn a screen before they come into view, so that a page with twenty opens as fast as one without. */
const aheadOfView = '800px';

export type MountedChart = {
  /** Draws the chart again if it has been drawn; otherwise it is drawn when it comes into view. */
  readonly redraw: () => void;
};

/** Width of a sheet of paper between its margins. While a page is printed, its own width is still that of the screen. */
const paperPx = 680;

/** Draws into a holder when it comes near the view, and again when its width changes or the page is printed. */
export function mountChart(holder: HTMLElement, draw: Draw): MountedChart {
  let drawnWidth = 0;
  const drawAt = (width: number): void => {
    const drawn = draw(width);
    // The holder has a label, and a table has the same figures: a screen reader should not read hundreds of marks.
    drawn.setAttribute('aria-hidden', 'true');
    holder.replaceChildren(drawn);
    holder.dataset['drawn'] = '';
  };
  const drawHere = (): void => {
    const width = Math.floor(holder.clientWidth);
    if (width === 0) return;
    drawnWidth = width;
    drawAt(width);
  };
  const redraw = (): void => {
    if (drawnWidth !== 0) drawHere();
  };
  const onWidth = new ResizeObserver(() => {
    if (Math.floor(holder.clientWidth) !== drawnWidth) redraw();
  });
  const inView = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      inView.disconnect();
      if (drawnWidth === 0) drawHere();
    },
    { rootMargin: aheadOfView },
  );
  inView.observe(holder);
  onWidth.observe(holder);
  addEventListener('beforeprint', () => drawAt(paperPx));
  addEventListener('afterprint', redraw);
  return { redraw };
}
