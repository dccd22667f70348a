import type { Pictures } from './pictures.ts';

/** The pictures of a run without exchanges, and where none are wanted. */
export const noPictures: Pictures = { timelines: [], timelinesLeftOut: 0, returns: [], bursts: [] };
