/** Certificates that are false although they agree with themselves: what somebody might write who wants a violation. */

export type Line = {
  readonly kind: string;
  readonly requestId: string;
  readonly index: number;
  readonly outcome: string;
  readonly scope: string;
  readonly key: string | null;
  readonly sentMs: number;
  readonly receivedMs: number | null;
} & Readonly<Record<string, unknown>>;

type Part = {
  rule: string;
  reading: string | null;
  requestIds: string[];
  left: number | null;
  relation: string;
  right: number | null;
};

export type ToldCertificate = {
  clause: string;
  level: string;
  reason: string;
  group: { key: string; scope: string } | null;
  parts: Part[];
  exchanges: { lowMs: number | null; highMs: number | null; exchange: Line }[];
  traceSha256: string;
};

/** A lie, told in the certificate of a trace by name; `lines` where the trace is another one too. */
export type Lie = {
  readonly name: string;
  readonly of: readonly [trace: string, clause: string];
  readonly tell: (told: ToldCertificate, lines: readonly Line[]) => void;
  readonly lines?: (lines: readonly Line[]) => readonly Line[];
};

const fixed: Lie['of'] = ['fixed-window-first-request', 'window.rolling'];
const tooMany: Lie['of'] = ['limit-of-standard', 'limits.media'];
const tooFew: Lie['of'] = ['limit-of-standard', 'limits.messages'];
const hour: Lie['of'] = ['window-of-an-hour', 'window.rolling'];
const long: Lie['of'] = ['window-long', 'window.length'];
const scopes: Lie['of'] = ['one-window-for-scopes', 'limits.per-scope'];
const waited: Lie['of'] = ['retry-after-floored', 'error.retry-after-suffices'];
const together: Lie['of'] = ['refused-together', 'limits.media'];
const left: Lie['of'] = ['places-left', 'limits.media'];

/** Of what a part names, the first is put in the place of another. */
function replace({ parts }: ToldCertificate, at: number, line: Line | undefined): void {
  for (const part of parts) if (part.rule === 'over-admission') part.requestIds[at] = need(line).requestId;
}

function need<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('the trace has nothing for this lie');
  return value;
}

function partOf({ parts }: ToldCertificate, rule: string): Part {
  return need(parts.find((part) => part.rule === rule));
}

const inGroup =
  ({ group }: ToldCertificate) =>
  ({ key, scope }: Line): boolean =>
    key === group?.key && scope === group?.scope;

const header = (change: (deployment: object) => object) => (lines: readonly Line[]) =>
  lines.map((line) =>
    line.kind === 'trace' ? { ...line, deployment: change(line['deployment'] as object) } : line,
  );

export const lies: readonly Lie[] = [
  {
    name: 'one admission is counted twice',
    of: tooMany,
    tell: (told) => replace(told, 1, { requestId: need(told.parts[0]?.requestIds[0]) } as Line),
  },
  {
    name: 'a 429 is counted as an admission',
    of: fixed,
    tell: (told, lines) =>
      replace(
        told,
        1,
        lines.find((line) => inGroup(told)(line) && line.outcome === 'limited'),
      ),
  },
  {
    name: 'an admission of another scope is counted',
    of: fixed,
    tell: (told, lines) =>
      replace(
        told,
        1,
        lines.find(
          ({ outcome, key, scope }) =>
            outcome === 'admitted' && key === told.group?.key && scope !== told.group?.scope,
        ),
      ),
  },
  {
    name: 'an admission of another key is counted',
    of: ['one-window-for-keys', 'limits.per-key'],
    tell: (told, lines) => {
      const other = lines.find(({ outcome, key }) => outcome === 'admitted' && key !== told.group?.key);
      partOf(told, 'no-cap').requestIds[1] = need(other).requestId;
    },
  },
  {
    name: 'the group is that of another scope',
    of: tooMany,
    tell: ({ group }) => Object.assign(need(group ?? undefined), { scope: 'standard', limit: 30 }),
  },
  {
    name: 'an over-admission is said to have come after a full window',
    of: tooMany,
    tell: (told, lines) => {
      const first = need(lines.find(({ outcome }) => outcome === 'limited'));
      Object.assign(told, { clause: 'window.rolling', reason: 'early-return' });
      const { right } = need(told.parts[0]);
      told.parts.push({
        rule: 'held-before',
        reading: null,
        requestIds: [first.requestId],
        left: right,
        relation: '<=',
        right,
      });
    },
  },
  {
    name: 'a fixed window is said to be a shorter one',
    of: fixed,
    tell: (told) => {
      Object.assign(told, { clause: 'window.length', reason: 'too-short' });
      Object.assign(need(told.parts[2]), {
        rule: 'length',
        reading: 'counted',
        requestIds: [],
        left: 1,
        right: 2,
      });
    },
  },
  {
    name: 'one window for scopes is said to be one for keys',
    of: scopes,
    tell: (told) => Object.assign(told, { clause: 'limits.per-key', reason: 'one-window-for-keys' }),
  },
  {
    name: 'blame is left out',
    of: scopes,
    tell: (told) => told.parts.pop(),
  },
  {
    name: 'a must violation is passed off as a should',
    of: hour,
    tell: (told) => {
      Object.assign(told, { clause: 'window.granularity', level: 'should', reason: 'whole-seconds' });
      told.parts.pop();
    },
  },
  {
    name: 'fewer may have taken a place than did',
    of: tooFew,
    tell: (told) => {
      const part = partOf(told, 'refused-with-room');
      part.requestIds = part.requestIds.slice(0, 1);
      part.left = 0;
    },
  },
  {
    name: 'a 429 that others explain is said to have come at once with them',
    of: together,
    tell: (told) => {
      const part = partOf(told, 'refused-together');
      part.requestIds = part.requestIds.slice(0, 2);
    },
  },
  {
    name: 'an admission is said to have been refused together with 429s',
    of: together,
    tell: (told, lines) => {
      const part = partOf(told, 'refused-together');
      const admission = need(lines.findLast(({ outcome }) => outcome === 'admitted'));
      part.requestIds = [admission.requestId, ...part.requestIds];
      part.left = 1;
    },
  },
  {
    name: 'a 429 of the first window is said to come too late',
    of: hour,
    tell: (told, lines) => {
      const early = need(lines.find((line) => inGroup(told)(line) && line.outcome === 'limited'));
      for (const part of told.parts.slice(0, 2))
        Object.assign(part, { requestIds: [early.requestId], left: 0 });
    },
  },
  {
    name: 'one reading is refuted twice, and the other not',
    of: long,
    tell: (told) => {
      told.parts[1] = structuredClone(need(told.parts[0]));
    },
  },
  {
    name: 'the reading of a refutation is changed',
    of: long,
    tell: (told) => {
      told.parts[1] = { ...structuredClone(need(told.parts[0])), reading: 'counted' };
    },
  },
  {
    name: 'a cap is not ruled out',
    of: tooFew,
    tell: (told) => told.parts.splice(2, 1),
  },
  {
    name: 'a 429 near others is said to be clear',
    of: tooFew,
    tell: (told) => {
      told.parts[2] = { rule: 'clear', reading: null, requestIds: [], left: 0, relation: '<', right: 1 };
    },
  },
  {
    name: 'what Go may have sent again is left out',
    of: ['go-sends-again', 'load.over-pressure'],
    tell: (told) => {
      for (const part of told.parts) {
        const [refusal = '', ...counted] = part.requestIds;
        part.requestIds = [refusal, ...new Set(counted)];
        part.left = part.requestIds.length - 1;
      }
    },
  },
  {
    name: 'the clause is of another scenario',
    of: ['load-nodes', 'load.nodes'],
    tell: (told) => Object.assign(told, { clause: 'load.media-burst' }),
  },
  {
    name: 'the clause only observes',
    of: ['load-nodes', 'load.nodes'],
    tell: (told) => {
      Object.assign(told, { clause: 'load.latency', reason: 'over-admission' });
      told.parts.pop();
    },
  },
  {
    name: 'admissions after an answer are counted before it',
    of: ['remaining-above-limit', 'headers.remaining'],
    tell: (told, lines) => {
      const part = partOf(told, 'above-count');
      const later = lines.filter((line) => inGroup(told)(line) && line.outcome === 'admitted').slice(-5);
      part.requestIds.push(...later.map(({ requestId }) => requestId));
      part.left = Math.max(0, (part.left ?? 0) - 5);
    },
  },
  {
    name: 'what may have lowered Remaining is left out',
    of: ['remaining-low-by-one', 'headers.remaining'],
    tell: (told) => {
      const part = partOf(told, 'below-count');
      part.requestIds.pop();
      part.right = (part.right ?? 0) + 1;
    },
  },
  {
    name: 'the second 429 came before the wait was over',
    of: waited,
    tell: (told, lines) => {
      const part = partOf(told, 'waited');
      const first = need(part.requestIds[0]);
      const sentMs = need(lines.find(({ requestId }) => requestId === first)).sentMs;
      const soon = lines.find(
        (line) => inGroup(told)(line) && line.outcome === 'limited' && line.sentMs > sentMs,
      );
      part.requestIds[1] = need(soon).requestId;
      part.right = part.left;
    },
  },
  {
    name: 'what came between two 429s is not spoken of',
    of: waited,
    tell: (told, lines) => {
      const limited = lines.filter((line) => inGroup(told)(line) && line.outcome === 'limited');
      const part = partOf(told, 'waited');
      part.requestIds = [need(limited[0]).requestId, need(limited.at(-1)).requestId];
      part.left = need(limited.at(-1)).sentMs;
      part.right = part.left;
    },
  },
  {
    name: 'nothing was sent since an answer left places',
    of: left,
    tell: (told) => {
      const part = need(told.parts[0]);
      part.requestIds = part.requestIds.slice(0, 2);
      part.left = 0;
    },
  },
  {
    name: 'another answer is said to have left as many places',
    of: left,
    tell: (told, lines) => {
      const part = need(told.parts[0]);
      part.requestIds[0] = need(lines.findLast(({ outcome }) => outcome === 'admitted')).requestId;
    },
  },
  {
    name: 'an answer that is right is said to be wrong',
    of: ['message-missing', 'error.message'],
    tell: (told, lines) => {
      told.exchanges = [
        {
          lowMs: 0,
          highMs: 0,
          exchange: need(lines.find(({ outcome }) => outcome === 'admitted')),
        },
      ];
    },
  },
  {
    name: 'a Reset that is right is said to be past',
    of: ['window-of-an-hour', 'headers.reset'],
    tell: (told) => Object.assign(told, { reason: 'past' }),
  },
  {
    name: 'others use the key',
    of: hour,
    tell: () => undefined,
    lines: header((deployment) => ({ ...deployment, exclusiveKeys: false })),
  },
  {
    name: 'the run died with requests that nobody knows of',
    of: hour,
    tell: () => undefined,
    lines: (lines) => lines.filter(({ kind }) => kind !== 'end' && kind !== 'sent'),
  },
  {
    name: 'a person has not said that there is no cap',
    of: hour,
    tell: (told) => told.parts.splice(2, 1),
    lines: header((deployment) => ({ ...deployment, perSecond: 'cap' })),
  },
  {
    name: 'the trace has more requests before each 429',
    of: hour,
    tell: () => undefined,
    lines: (lines) =>
      lines.flatMap((line, at) =>
        line.outcome === 'limited'
          ? [line, { ...line, requestId: `more ${at}`, outcome: 'refused', status: 503 }]
          : [line],
      ),
  },
  {
    name: 'a page of another layer is a 429 of the API',
    of: ['html-on-429', 'error.shape'],
    tell: () => undefined,
    lines: (lines) => lines.map((line) => (line.outcome === 'limited' ? withoutHeaders(line) : line)),
  },
  {
    name: 'a key that is refused from then on lacks headers',
    of: ['headers-missing-on-errors', 'headers.present'],
    tell: () => undefined,
    lines: (lines) => {
      const last = lines.findLast(({ kind, outcome }) => kind === 'exchange' && outcome !== 'refused');
      return lines.map((line) =>
        line['status'] === 404
          ? { ...withoutHeaders(line), status: 401, receivedMs: need(last).sentMs + 1 }
          : line,
      );
    },
  },
];

function withoutHeaders(line: Line): Line {
  return { ...line, headers: { limit: null, remaining: null, reset: null } };
}

/** The certificate with the exchanges that its parts name, as the trace has them. All were timed by one clock. */
export function restated(told: ToldCertificate, lines: readonly Line[]): ToldCertificate {
  const named = new Set(told.parts.flatMap(({ requestIds }) => requestIds));
  const shown = named.size === 0 ? told.exchanges.map(({ exchange }) => exchange.requestId) : [...named];
  const rows = lines
    .filter(({ kind, requestId }) => kind === 'exchange' && shown.includes(requestId))
    .map((exchange) => ({ lowMs: exchange.sentMs, highMs: exchange.receivedMs, exchange }))
    .sort((one, two) => one.lowMs - two.lowMs || one.exchange.index - two.exchange.index);
  return { ...told, exchanges: rows };
}
