import type { BurstPicture, Returns, Timeline } from '../../contract/pictures.ts';
import type { Frontier } from './frontier.ts';
import type { Nights } from './nights.ts';

/** What the charts of a page draw; everything else in it is text. */
export type PageData = {
  readonly frontier: Frontier | null;
  readonly windowMs: number;
  readonly timelines: readonly Timeline[];
  readonly returns: readonly Returns[];
  readonly bursts: readonly BurstPicture[];
  readonly nights: Nights | null;
};

/** For pages without pictures of a run. */
export const noPictures: Omit<PageData, 'frontier'> = {
  windowMs: 0,
  timelines: [],
  returns: [],
  bursts: [],
  nights: null,
};
