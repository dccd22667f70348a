import type { Frontier } from './frontier.ts';

/** What the charts of a page draw; everything else in it is text. */
export type PageData = {
  readonly frontier: Frontier | null;
};
