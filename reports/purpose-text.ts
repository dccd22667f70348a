import { innerMark } from '../contract/document/within.ts';

/** What the probes send a request for, for a person. */
const purposes: Readonly<Record<string, string>> = {
  warm: 'opening the connection',
  open: 'the first part of the burst, which opens the connections',
  preflight: 'the first request',
  'without-key': 'without a valid key',
  'after-without-key': 'to see what the rejected key cost',
  'other-error': 'to get another error',
  fill: 'filling a part of the window',
  'fill-last': 'the last of that part, to see how soon answers come',
  single: 'taking one place',
  saturate: 'filling the window up to its limit',
  edge: 'the dearest request, while less is left than it costs',
  confirm: 'confirming that the window is full',
  'other-key': 'with the other key',
  'other-key-late': 'with the other key',
  quiet: 'while the window is full',
  ladder: 'while the first request expires',
  gap: 'to see how much has come back',
  'gap-edge': 'more than can have come back',
  'single-return': 'while a request that took one place expires',
  'all-back': 'to see whether all has come back',
  boundary: 'at a boundary of the clock, to see whether that frees the place',
  recount: 'to see whether others use the key',
  'late-return': 'once all would have left a longer window',
  'late-visit': 'filling the window once more, later',
  reburst: 'filling the emptied window again',
  'reburst-edge': 'more than the limit',
  'stated-wait': 'after the documented wait',
  'stated-fill': 'filling the limit again',
  'stated-single': 'until a refusal',
  'stated-again': 'after the documented wait',
  ask: 'to see whether the limit has come back',
  wait: 'to see whether the service answers',
  burst: 'as many as pass, once the limit had come back',
};

/** What a request was sent for; words that are not in the list above are shown as they are, without hyphens. */
export function purposeText(purpose: string): string {
  return ofLimit(purpose, (named) => {
    if (/^retry(?:-|$)/.test(named)) return 'after the announced wait';
    return purposes[named] ?? purposes[named.replace(/-\d+$/, '')] ?? named.replaceAll('-', ' ');
  });
}

/** A purpose in words, with the limit that it is of, where it is of one of several. */
export function ofLimit(purpose: string, textOf: (named: string) => string): string {
  const [named = '', part] = purpose.split('@');
  if (part === undefined) return textOf(named);
  return part.endsWith(innerMark)
    ? `${textOf(named)}, of the limit “${part.slice(0, -innerMark.length)}”, by several scopes`
    : `${textOf(named)}, of the limit “${part}”`;
}
