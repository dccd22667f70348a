import { noKeySent } from '../../contract/clauses/shared.ts';
import { type Deployment, sendsKeys } from '../../contract/deployment.ts';
import { carriesKeys, countedByIn, scopesByCounting } from '../../contract/document/counted-by.ts';
import { promiseIn } from '../../contract/document/document.ts';
import type { TraceHeader } from '../../contract/trace-header.ts';
import {
  compose,
  type Evidence,
  held,
  inconclusive,
  notApplicable,
  type Verdict,
  violated,
} from '../../contract/verdict.ts';
import type { ClockSteps } from '../clock-steps.ts';
import { inconclusiveBecause, needsSecondKey } from '../conclude.ts';
import { type Group, togetherOf } from '../entries.ts';
import { evidenceOf, exchangesOf } from '../evidence.ts';
import { acrossStep } from '../fits.ts';
import { withOuter } from '../outer.ts';
import { contradictionByDocument, limitBlamedBy } from './contradicted.ts';
import { eachOnce } from './in-units.ts';
import type { Contradiction } from './prover.ts';

/** Whether the keys of a document that counts them together are counted so, and the groups that say what each window saw. */
export type CountedTogether = {
  /** One of each scope; those of each key where they are counted by key, or certainly apart. */
  readonly groups: readonly Group[];
  /** The verdict of `limits.shared`. */
  readonly verdict: Verdict;
};

/**
 * The groups of each key as windows of several keys: together, where nothing shows that each key has one of its own.
 * `null` where the document counts by key in all scopes.
 */
export function countedTogether(alone: readonly Group[], found: Setting): CountedTogether | null {
  const { document } = found.header.deployment;
  const groupsBy = Map.groupBy(alone, ({ scope }) => countedByIn(document, scope));
  const others = [...scopesByCounting(document).keys()].filter((countedBy) => countedBy !== 'key');
  // What shows that keys of an account are counted apart says nothing of those that come from one address.
  const each = others.map((countedBy) => countedBySame(groupsBy.get(countedBy) ?? [], found));
  const [first, ...more] = new Set(each.map(({ verdict }) => verdict));
  if (first === undefined) return null;
  return {
    groups: [...(groupsBy.get('key') ?? []), ...each.flatMap(({ groups }) => groups)],
    verdict: more.length === 0 ? first : compose([first, ...more]),
  };
}

type Setting = { readonly header: TraceHeader; readonly stepped: ClockSteps };

/** The same of the scopes that count by an account, or of those that count by an address. */
function countedBySame(alone: readonly Group[], { header, stepped }: Setting): CountedTogether {
  const { deployment } = header;
  const scopes = Map.groupBy(alone, ({ scope }) => scope);
  const each = [...scopes.values()] as [Group, ...Group[]][];
  const whole = each.map((groups) => (groups.length === 1 ? groups[0] : togetherOf(groups)));
  const windows = withOuter(whole, header, true);
  // Where requests carry no key, no service can count keys apart.
  const isKeyed = ({ scope }: Group): boolean => carriesKeys(deployment.document, scope);
  const found = each.map((groups, at) =>
    isKeyed(groups[0])
      ? shownBy(groups, windows[at] as Group, { deployment, stepped })
      : ({ kind: 'open' } as const),
  );
  const [apart] = found.flatMap((one) => (one.kind === 'apart' ? [one.evidence] : []));
  if (apart !== undefined) {
    const groups = [...alone.filter(isKeyed), ...windows.filter((one) => !isKeyed(one))];
    return { groups, verdict: violated('counted-apart', apart) };
  }
  const [shared] = found.flatMap((one) => (one.kind === 'together' ? [one.text] : []));
  const [broken] = found.flatMap((one) => (one.kind === 'broken' ? [one.limit] : []));
  if (!sendsKeys(deployment)) return { groups: windows, verdict: notApplicable(noKeySent) };
  if (shared !== undefined) return { groups: windows, verdict: held(shared) };
  if (broken !== undefined) return { groups: windows, verdict: inconclusiveBecause(broken) };
  const isOneKey = new Set(alone.filter(isKeyed).map(({ key }) => key)).size < 2;
  const unseen = 'no 429 shows that one key took what another one was refused';
  return { groups: windows, verdict: isOneKey ? needsSecondKey : inconclusive(unseen) };
}

type Shown =
  | { readonly kind: 'apart'; readonly evidence: Evidence }
  | { readonly kind: 'together'; readonly text: string }
  /** Something else is wrong with the scope. */
  | { readonly kind: 'broken'; readonly limit: `limits.${string}` }
  | { readonly kind: 'open' };

function shownBy(
  groups: readonly Group[],
  whole: Group,
  { deployment, stepped }: { readonly deployment: Deployment; readonly stepped: ClockSteps },
): Shown {
  const prove = (group: Group): Contradiction | null => contradictionByDocument(group, deployment);
  const each = groups.map(prove);
  const together = prove(whole);
  const refused = groups.find((_, at) => each[at]?.kind === 'wrongful-429');
  if (refused !== undefined) {
    const { key, scope, admitted } = refused;
    if (together !== null)
      return {
        kind: 'broken',
        limit: limitBlamedBy(together, scope, promiseIn(deployment.document, scope)),
      };
    const own = admitted.length === 1 ? '1 request with it was' : `${admitted.length} requests with it were`;
    return {
      kind: 'together',
      text: `a 429 for key ${key} at ${scope}, where only ${own} admitted in all, is explained by those with the other`,
    };
  }
  const isApart = together?.kind === 'over-admission' && each.every((found) => found === null);
  if (!isApart || acrossStep(together.by, whole, stepped)) return { kind: 'open' };
  const { expected, observed, by } = together;
  return {
    kind: 'apart',
    evidence: evidenceOf(
      expected,
      `${observed}; each of the keys alone keeps the limit`,
      exchangesOf(eachOnce(by)),
    ),
  };
}
