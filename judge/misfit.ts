import type { Entry } from './entries.ts';

/** What a number of an answer may be. */
export type Bounds = { readonly lowest: number; readonly highest: number };

/** An answer whose number no moment of counting explains. */
export type Misfit = { readonly entry: Entry; readonly value: number; readonly allowed: Bounds };
