import { type PlainWords, plainWords } from '../../contract/plain-words.ts';
import { insteadAt, wantedAt } from './wanted.ts';

/** How parsing a document, or settings, is told to say what is wrong. */
export const plainly: PlainWords = plainWords({ wantedAt, insteadAt });
