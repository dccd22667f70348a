import { describe, expect, it, test } from 'vitest';
import { inconclusive } from '../contract/verdict.ts';
import { renderBadge, renderBadgePicture } from './badge.ts';
import { brokenOffReport, quoted, reportOf, violatedWith } from './testing/fixtures.ts';

const deployment = { ...reportOf().deployment, baseUrls: ['https://secret-host.example.test'] };

const runs = [
  ['held', reportOf(), 'brightgreen', /^\d+ of \d+ held$/],
  ['violated', reportOf({ 'limits.media': violatedWith([quoted()]) }), 'red', /^1 violated$/],
  ['inconclusive', reportOf({ 'limits.media': inconclusive('lost') }), 'yellow', /^inconclusive$/],
  ['an error of the harness', { ...brokenOffReport(), outcome: 'error' as const }, 'lightgrey', /^error$/],
] as const;

describe.each(runs)('the badge of a run: %s', (_name, report, color, says) => {
  it('has the colour and the words of the outcome, for shields.io', () => {
    const badge = JSON.parse(renderBadge(report));
    expect(badge).toMatchObject({ schemaVersion: 1, label: 'rate limits', color });
    expect(badge.message).toMatch(says);
    expect(badge.isError).toBe(report.outcome === 'error' ? true : undefined);
  });

  it('says the same as a picture, with the day, and names nobody', () => {
    const picture = renderBadgePicture({ ...report, deployment });
    const { message } = JSON.parse(renderBadge(report));
    expect(picture).toContain(`<title>rate limits: ${message}, 2026-01-02</title>`);
    expect(picture).not.toMatch(/secret-host|href|url\((?!#)/);
    expect(picture.match(/https?:[^"]*/g)).toEqual(['http://www.w3.org/2000/svg']);
  });
});

test.each([
  [
    'in short windows',
    { window: { ms: 2_000, documentedMs: 60_000, isDocumented: false } },
    'windows of 2 s',
  ],
  ['of a light run', { mode: 'light' }, 'light only'],
  ['of load alone', { mode: 'load' }, 'load only'],
] as const)('what held %s is called so', (_what, facts, says) => {
  expect(JSON.parse(renderBadge({ ...reportOf(), ...facts })).message).toMatch(
    new RegExp(`^\\d+ of \\d+ held, ${says}$`),
  );
  const violated = reportOf({ 'limits.media': violatedWith([quoted()]) });
  expect(JSON.parse(renderBadge({ ...violated, ...facts })).message).toBe('1 violated');
});
