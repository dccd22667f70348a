import type { RunOutcome } from '../outcome.ts';
import type { ClauseResult } from '../result.ts';
import { type Html, html } from './html.ts';

export type Tone = 'good' | 'bad' | 'open' | 'quiet';

export const outcomeTones: Readonly<Record<RunOutcome, Tone>> = {
  conformant: 'good',
  'not-conformant': 'bad',
  inconclusive: 'open',
  error: 'bad',
};

export const outcomeWords: Readonly<Record<RunOutcome, string>> = {
  conformant: 'Conformant',
  'not-conformant': 'Not conformant',
  inconclusive: 'Inconclusive',
  error: 'Error',
};

/** How a verdict on one clause is coloured; its word says the same. */
export function clauseTone({ level, verdict }: ClauseResult): Tone {
  switch (verdict.kind) {
    case 'held':
      return 'good';
    case 'violated':
      return level === 'must' ? 'bad' : 'open';
    case 'crashed':
      return 'bad';
    case 'inconclusive':
      return 'open';
    case 'observed':
    case 'not-applicable':
      return 'quiet';
    default:
      throw new Error(`no tone for ${verdict satisfies never}`);
  }
}

const signs: Readonly<Record<Tone, string>> = {
  good: 'M6.6 12.4l3.6 3.6 7.2-7.8',
  bad: 'M7.8 7.8l8.4 8.4M16.2 7.8l-8.4 8.4',
  open: 'M12 6.6v6.2M12 16.6v.6',
  quiet: 'M7.5 12h9',
};

/** A sign in the colour of a tone. It stands beside a word, and says nothing that the word does not. */
export function signOf(tone: Tone): Html {
  return html`<svg class="sign tone-${tone}" viewBox="0 0 24 24" aria-hidden="true"><circle cx="12" cy="12" r="11"
fill="currentColor"/><path d="${signs[tone]}" fill="none" stroke="var(--paper)" stroke-width="2.4" stroke-linecap="round"
stroke-linejoin="round"/></svg>`;
}
