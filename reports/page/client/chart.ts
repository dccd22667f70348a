/** Draws a chart as wide as it is given room, px. */
export type Draw = (width: number) => Element;

/** Charts are drawn a screen before they are reached: a page of twenty opens as fast as one of none. */
const aheadOfView = '800px';

/** Draws into a holder once it comes near the view, and again whenever its width changes or a page is printed. */
export function mountChart(holder: HTMLElement, draw: Draw): { readonly redraw: () => void } {
  let drawnWidth = 0;
  const redraw = (): void => {
    const width = Math.floor(holder.clientWidth);
    if (width === 0) return;
    drawnWidth = width;
    const drawn = draw(width);
    // The holder is labelled, and a table says the same: hundreds of nameless marks would only be in the way.
    drawn.setAttribute('aria-hidden', 'true');
    holder.replaceChildren(drawn);
  };
  const onWidth = new ResizeObserver(() => {
    if (drawnWidth !== 0 && Math.floor(holder.clientWidth) !== drawnWidth) redraw();
  });
  const inView = new IntersectionObserver(
    (entries) => {
      if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
      inView.disconnect();
      if (drawnWidth === 0) redraw();
    },
    { rootMargin: aheadOfView },
  );
  inView.observe(holder);
  onWidth.observe(holder);
  addEventListener('beforeprint', () => {
    if (drawnWidth === 0) redraw();
  });
  return { redraw };
}
