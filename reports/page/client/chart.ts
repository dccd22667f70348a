import type * as Plot from '@observablehq/plot';

/** Draws a chart as wide as it is given room, px. */
export type Draw = (width: number) => Element;

/** What Plot draws, with its scales. */
export type Drawn = (SVGSVGElement | HTMLElement) & Plot.Plot;

/** Charts are drawn a screen before they are reached: a page of twenty opens as fast as one of none. */
const aheadOfView = '800px';

export type Mounted = {
  /** Draws it anew where it has been drawn; whatever has not been in view yet is drawn when it comes there. */
  readonly redraw: () => void;
};

/** The width of a sheet between its margins: while a page is being printed, it still has that of the screen. */
const paperPx = 680;

/** Draws into a holder once it comes near the view, and again whenever its width changes or a page is printed. */
export function mountChart(holder: HTMLElement, draw: Draw): Mounted {
  let drawnWidth = 0;
  const drawAt = (width: number): void => {
    const drawn = draw(width);
    // The holder is labelled, and a table says the same: hundreds of nameless marks would only be in the way.
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
