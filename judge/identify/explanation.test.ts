import { describe, expect, it } from 'vitest';
import type { Cap } from './cap.ts';
import { explanation, type Searches, tiedOf } from './explanation.ts';
import type { Fit } from './fit.ts';
import type { FitsUnderCap } from './under-cap.ts';

type Kind = 'plain' | 'odd' | 'wrong';

/** A fit that explains all, one that does so by odd settings, or one that does not. */
function fitOf(algorithm: Fit['algorithm'], kind: Kind = 'plain'): Fit {
  const window = { lowMs: 59_000, highMs: 61_000 };
  const plausibility = kind === 'odd' ? 9e-6 : 1e-5;
  const contradictedBy = kind === 'wrong' ? [3] : [];
  return { algorithm, limit: 30, window, lengthMs: 60_000, contradictedBy, plausibility };
}

const cap: Cap = { limit: 10, lengthMs: 1_000, kind: 'window' };
const under = (one: Fit): FitsUnderCap => ({ cap, fits: [one] });

/** What explains a trace if this is found, and which searches were asked. */
function explained(found: Partial<{ readonly [name in keyof Searches]: Fit }>) {
  const asked: string[] = [];
  const of = (name: keyof Searches): Fit | undefined => {
    asked.push(name);
    return found[name];
  };
  const fits = (name: keyof Searches) => () => [of(name)].filter((one) => one !== undefined);
  const capped = (name: keyof Searches) => () => {
    const one = of(name);
    return one === undefined ? null : under(one);
  };
  const { fits: best, cap: on } = explanation(
    {
      likely: fits('likely'),
      early: fits('early'),
      stepped: fits('stepped'),
      forgotten: fits('forgotten'),
      unlikely: fits('unlikely'),
      underSecond: capped('underSecond'),
      underLonger: capped('underLonger'),
    },
    {},
  );
  return [best.map(({ algorithm }) => algorithm).join(' '), on === cap, asked.join(' ')];
}

const log = 'sliding-log';
const queue = 'leaky-bucket-queue';
const grid = 'fixed-window-phase';
const [none, nothing] = [fitOf(log, 'wrong'), 'likely underSecond early stepped'];
const beside = 'likely forgotten';

describe('what explains a trace is looked for', () => {
  it('no farther than what is likely, where that does', () => {
    expect(explained({ likely: fitOf(log) })).toEqual([log, false, beside]);
    expect(explained({ likely: fitOf(queue) })).toEqual([queue, false, beside]);
  });

  it.each(['two-bucket', 'two-bucket-counting-rejections', 'token-bucket', 'leaky-bucket'] as const)(
    'among early counters too, where it is a %s',
    (bucket) => {
      expect(explained({ likely: fitOf(bucket) })).toEqual([bucket, false, `${beside} early`]);
      expect(explained({ likely: fitOf(bucket), early: fitOf(grid) })[0]).toBe(`${bucket} ${grid}`);
    },
  );

  it('everywhere but under other limits, where it needs odd settings', () => {
    const odd = fitOf(log, 'odd');
    expect(explained({ likely: odd })).toEqual([log, false, `${beside} early stepped unlikely`]);
    expect(explained({ likely: odd, early: fitOf(grid) })).toEqual([
      `${grid} ${log}`,
      false,
      `${beside} early`,
    ]);
    const stepped = explained({ likely: odd, stepped: fitOf(grid) });
    expect(stepped).toEqual([`${grid} ${log}`, false, `${beside} early stepped`]);
    const unlikely = explained({ likely: odd, unlikely: fitOf(grid) });
    expect(unlikely).toEqual([`${grid} ${log}`, false, `${beside} early stepped unlikely`]);
  });

  it('under a limit on a second, where it does not', () => {
    const second = explained({ likely: none, underSecond: fitOf(grid) });
    expect(second).toEqual([grid, true, 'likely underSecond']);
    expect(explained({ underSecond: fitOf(grid) })).toEqual([grid, true, 'likely underSecond']);
  });

  it('without that limit first, where a bucket is under it, or odd settings', () => {
    const bucket = fitOf('token-bucket');
    expect(explained({ likely: none, underSecond: bucket })).toEqual(['token-bucket', true, nothing]);
    const early = explained({ likely: none, underSecond: bucket, early: fitOf(grid) });
    expect(early).toEqual([`${grid} ${log}`, false, 'likely underSecond early']);
    const odd = fitOf('extend-on-reject', 'odd');
    const all = `${nothing} forgotten unlikely`;
    expect(explained({ likely: none, underSecond: odd })).toEqual(['extend-on-reject', true, all]);
    const unlikely = explained({ likely: none, underSecond: odd, unlikely: fitOf(grid) });
    expect(unlikely).toEqual([`${grid} ${log}`, false, all]);
  });

  it('that is forgotten when nothing is asked for a while, beside what is likely, or before other limits', () => {
    const forgotten = fitOf('token-bucket');
    expect(explained({ likely: fitOf(log), forgotten })[0]).toBe(`${log} token-bucket`);
    const alone = explained({ likely: none, forgotten });
    expect(alone).toEqual([`token-bucket ${log}`, false, `${nothing} forgotten`]);
  });

  it('under a limit on a longer time last', () => {
    const all = `${nothing} forgotten unlikely underLonger`;
    expect(explained({ likely: none, underLonger: fitOf(grid) })).toEqual([grid, true, all]);
    expect(explained({ likely: none })).toEqual([log, false, all]);
    expect(explained({})).toEqual(['', false, all]);
  });
});

describe('a tie', () => {
  const tied = (...fits: readonly Fit[]) => tiedOf(fits).map(({ algorithm }) => algorithm);

  it('is of what is a twentieth as likely as the first, and contradicts nothing', () => {
    const plausible = (algorithm: Fit['algorithm'], plausibility: number): Fit => ({
      ...fitOf(algorithm),
      plausibility,
    });
    expect(tied(plausible(log, 0.4), plausible(queue, 0.02), plausible(grid, 0.019))).toEqual([log, queue]);
    expect(tied(plausible(log, 0.4), fitOf(queue, 'wrong'))).toEqual([log]);
    expect(tied(plausible(log, 0))).toEqual([]);
  });

  it('is none of what contradicts something, or where nothing is found', () => {
    expect(tied(fitOf(log, 'wrong'))).toEqual([]);
    expect(tied()).toEqual([]);
  });
});
