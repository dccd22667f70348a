/** The checker in Python confirms what the judges prove, and nothing that was tampered with. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { partRules } from '../../contract/certificate.ts';
import type { Trace } from '../../contract/trace.ts';
import { seeded } from '../../run/seeded.ts';
import { needing } from '../../testing/needs.ts';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { faultSubjects, type Subject, variantSubjects } from '../faults/subjects.ts';
import { wholeTrace } from '../faults/whole-run.ts';
import { hasPython } from '../foreign/foreign-batch.ts';
import { certifiableTraces } from '../testing/certifiable-traces.ts';
import { type Json, tampered } from '../testing/tampering.ts';
import { writeProven } from './gate-certificates.ts';

/** The reasons that certificates of these traces give, by what they are about. */
const reasonsBySort: Readonly<Record<string, string>> = {
  answer:
    'absent, admitted-without-key, empty, longer-than-needed, missing-on-429, missing-on-error, missing-on-success, no-error-object, no-message, no-success, not-429, not-a-string, not-an-integer, not-json, success-not-false, too-long, wrong-code, wrong-limit, zero',
  count:
    'counted-apart, counted-per-node, early-return, late-return, one-window-for-keys, one-window-for-scopes, over-admission, too-long, too-short, whole-seconds, wrongful-429',
  'places left': 'refused-while-remaining',
  promise: 'second-429',
  remaining: 'not-zero, too-high, too-low',
  reset: 'beyond-window, delta, milliseconds, past',
};

/** By the first rule of a certificate, where it is about no count. */
const sortOfRule: Readonly<Record<string, string>> = {
  'places-left': 'places left',
  waited: 'promise',
  'above-count': 'remaining',
  'below-count': 'remaining',
  'above-leaving': 'remaining',
  offset: 'reset',
};

const root = join(import.meta.dirname, '../..');
const seed = 1;
const tamperedCount = 1_000;

/** The issue asks for 200 lines: this bound may only be lowered. */
const linesMax = 275;
const charactersMax = 150;

/** Faults and variants that together break by every rule, for every reason. */
const played: ReadonlySet<string> = new Set([
  'limit-of-standard',
  'remaining-above-limit',
  'window-of-an-hour',
  'remaining-stale',
  'remaining-low-by-one',
  'subpaths-are-standard',
  'retry-after-floored',
  'headers-renamed',
  'fixed-window-first-request',
  'reset-as-delta',
  'message-missing',
  'message-empty',
  'code-is-status',
  'success-missing',
  'headers-missing-on-429',
  'json-labelled-text',
  'other-errors-without-message',
  'malformed-key-passes',
  'one-window-for-keys',
  'success-true-on-429',
  'headers-missing-on-errors',
  'reset-half-a-minute-past',
  'remaining-negative',
  'message-by-language',
  'reset-in-milliseconds',
  'whole-seconds-and-one-more',
  'retry-after-spread',
  'window-half',
  'error-as-text',
  'retry-after-zero',
  'over-limit-503',
  'window-long',
  'one-window-for-scopes',
]);

type Line = { readonly [name: string]: Json };
type Damage = {
  readonly name: string;
  /** The lines of the trace, and the ids of the exchanges that the certificate names. */
  readonly damage: (lines: readonly Line[], named: ReadonlySet<Json | undefined>) => readonly Line[];
  /** Rules whose proofs do not rest on it. */
  readonly except?: readonly string[];
};

/** What makes a certificate false although it names the digest of the damaged trace. */
const damages: readonly Damage[] = [
  {
    name: 'an exchange of the proof is not in the trace',
    damage: (lines, named) => lines.filter(({ requestId }) => !named.has(requestId)),
  },
  {
    name: 'the trace says another time of an exchange of the proof',
    damage: (lines, named) => editing(lines, named, (line) => ({ sentMs: Number(line['sentMs']) - 1 })),
  },
  {
    name: 'the trace says another status of an exchange of the proof',
    damage: (lines, named) => editing(lines, named, () => ({ status: 503, outcome: 'refused' })),
  },
  {
    name: 'the trace has an exchange of the proof twice, once with another header',
    damage: (lines, named) => [
      ...lines,
      ...editing(lines, named, () => ({ date: 'never' })).filter(({ requestId }) => named.has(requestId)),
    ],
  },
  {
    name: 'the trace is of another run',
    damage: ([header, ...lines]) => [{ ...header, runId: 'another' }, ...lines],
  },
  {
    name: 'the window is a second longer',
    damage: ([header, ...lines]) => [{ ...header, windowMs: Number(header?.['windowMs']) + 1_000 }, ...lines],
    except: ['answer', 'reset'],
  },
  {
    name: 'the wall clock was set forward in the course of the run',
    damage: (lines) => [
      ...lines,
      ...[0, 10_000].map((apart) => {
        const monotonicMs = 1_700_000_000_000 + apart * 10_000_000;
        return { kind: 'clock', clock: 'simulation', monotonicMs, wallMs: monotonicMs + apart * 2_000 };
      }),
    ],
    except: ['answer'],
  },
];

type Certified = { readonly folder: string; readonly certificate: CertificateJson };
type CertificateJson = { [name: string]: Json } & {
  readonly reason: string;
  readonly parts: readonly { readonly rule: string }[];
  readonly exchanges: readonly { readonly exchange: { readonly requestId: string } }[];
};

/** All is computed, nothing is waited for: a busy machine takes as long as it takes. */
const timeoutMs = 600_000;

describe('the checker of certificates', { ...needing('python', hasPython()), timeout: timeoutMs }, () => {
  let folders: string[] = [];
  let certified: Certified[] = [];

  beforeAll(async () => {
    const folder = await temporaryFolder();
    const subjects = [...faultSubjects, ...variantSubjects].filter(({ name }) => played.has(name));
    const traces = [...subjects.map(traceOfSubject), ...certifiableTraces];
    for (const [name, trace] of traces) await writeProven(join(folder, name), trace);
    folders = traces.map(([name]) => join(folder, name));
    certified = (await Promise.all(folders.map(certificatesIn))).flat();
  }, timeoutMs);

  test('confirms every violation, by each rule and for each reason', async () => {
    const { status, lines } = await check(folders);
    expect(lines.filter((line) => !line.endsWith(': confirmed'))).toEqual([]);
    expect({ status, confirmed: lines.length }).toEqual({ status: 0, confirmed: certified.length });
    for (const [sort, reasons] of Object.entries(reasonsBySort)) {
      const ofRule = certified.filter(({ certificate }) => sortOf(certificate) === sort);
      expect(
        sortedText(
          ofRule.map(({ certificate }) => certificate.reason),
          ', ',
        ),
      ).toBe(reasons);
    }
    const rules = certified.flatMap(({ certificate }) => certificate.parts.map(({ rule }) => rule));
    expect([...new Set(rules)].sort()).toEqual([...partRules].sort());
  });

  test(`confirms none of ${tamperedCount} that were tampered with`, async () => {
    const random = seeded(seed);
    const folder = await temporaryFolder();
    for (let at = 0; at < tamperedCount; at += 1) {
      const chosen = certified[at % certified.length];
      if (chosen === undefined) throw new Error('no certificate to tamper with');
      const { certificate } = chosen;
      const name = basename(chosen.folder);
      await mkdir(join(folder, name, 'evidence'), { recursive: true });
      const text = JSON.stringify(tampered(certificate, random));
      await writeFile(join(folder, name, 'evidence', `${at}.json`), text);
    }
    for (const whole of folders) {
      const name = basename(whole);
      await cp(join(whole, 'trace.ndjson'), join(folder, name, 'trace.ndjson'));
    }
    const { status, lines } = await check((await readdir(folder)).map((name) => join(folder, name)));
    expect(lines.filter((line) => !line.includes(': rejected: '))).toEqual([]);
    expect({ status, rejected: lines.length }).toEqual({ status: 1, rejected: tamperedCount });
  });

  test.each(damages)('confirms none where $name', async ({ damage, except = [] }) => {
    const folder = await temporaryFolder();
    const one = new Map(certified.map((each) => [sortOf(each.certificate), each]));
    for (const rule of except) one.delete(rule);
    for (const [rule, { folder: whole, certificate }] of one) {
      const named = new Set(certificate.exchanges.map(({ exchange }) => exchange.requestId));
      const lines = (await readFile(join(whole, 'trace.ndjson'), 'utf8')).trimEnd().split('\n').map(parsed);
      const text = damage(lines, named)
        .map((line) => `${JSON.stringify(line)}\n`)
        .join('');
      const traceSha256 = createHash('sha256').update(text).digest('hex');
      await mkdir(join(folder, rule, 'evidence'), { recursive: true });
      await writeFile(join(folder, rule, 'trace.ndjson'), text);
      await writeFile(
        join(folder, rule, 'evidence', 'it.json'),
        JSON.stringify({ ...certificate, traceSha256 }),
      );
    }
    const { lines } = await check([...one.keys()].map((rule) => join(folder, rule)));
    expect(lines).toHaveLength(one.size);
    expect(lines.filter((line) => !line.includes(': rejected: '))).toEqual([]);
  });

  test('is short enough to be read in one sitting', async () => {
    const lines = (await readFile(join(root, 'proof/certificates/check.py'), 'utf8')).trimEnd().split('\n');
    expect(lines.length).toBeLessThanOrEqual(linesMax);
    expect(lines.filter((line) => line.length > charactersMax)).toEqual([]);
  });

  test('says that there is nothing to check', async () => {
    expect(await check([await temporaryFolder()])).toEqual({ status: 2, lines: [] });
  });

  test.each(['README.md', 'CONTRIBUTING.md', 'docs/verdicts.md'])('runs as %s says', async (page) => {
    const text = await readFile(join(root, page), 'utf8');
    const [, script = ''] = /python3 (\S+) DIR/.exec(text) ?? [];
    expect(script).not.toBe('');
    const { status, lines } = await check(folders.slice(0, 2), script);
    expect({ status, some: lines.length > 0 }).toEqual({ status: 0, some: true });
  });
});

function editing(
  lines: readonly Line[],
  named: ReadonlySet<Json | undefined>,
  edit: (line: Line) => Line,
): readonly Line[] {
  return lines.map((line) => (named.has(line['requestId']) ? { ...line, ...edit(line) } : line));
}

/** What a certificate is about: a count, unless its clause or its parts say otherwise. */
function sortOf({ parts }: CertificateJson): string {
  const sort = parts.map(({ rule }) => sortOfRule[rule]).find((found) => found !== undefined);
  return parts.length === 0 ? 'answer' : (sort ?? 'count');
}

function sortedText(names: readonly string[], between: string): string {
  return [...new Set(names)].sort().join(between);
}

function parsed(line: string): Line {
  return JSON.parse(line) as Line;
}

function traceOfSubject({ name, open, setting }: Subject): readonly [string, Trace] {
  return [name, wholeTrace({ service: open(), setting, seed })];
}

async function certificatesIn(folder: string): Promise<readonly Certified[]> {
  const names = await readdir(join(folder, 'evidence'));
  return Promise.all(
    names.map(async (name) => {
      const text = await readFile(join(folder, 'evidence', name), 'utf8');
      return { folder, certificate: JSON.parse(text) as CertificateJson };
    }),
  );
}

type Checked = { readonly status: number; readonly lines: readonly string[] };

/** Runs the checker once over folders. */
function check(folders: readonly string[], script = 'proof/certificates/check.py'): Promise<Checked> {
  return new Promise((resolve, reject) => {
    const options = { cwd: root, maxBuffer: 16_000_000 };
    execFile('python3', [script, ...folders], options, (error, stdout) => {
      const status = error === null ? 0 : error.code;
      if (typeof status !== 'number') return reject(error);
      return resolve({ status, lines: stdout.split('\n').filter((line) => line !== '') });
    });
  });
}
