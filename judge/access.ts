import type { AccessClauseId } from '../contract/clauses/access.ts';
import { carriesKeys } from '../contract/document/counted-by.ts';
import { howMany } from '../contract/quantities.ts';
import { headerInteger } from '../contract/rate-limit-headers.ts';
import { held, inconclusive, notApplicable, observed, violated } from '../contract/verdict.ts';
import { answerText, distinct } from './answers.ts';
import type { Judge } from './case.ts';
import { evidenceOf } from './evidence.ts';

/** `auth.bearer` */
const judgeBearer: Judge = ({ keyed, keyless, trace }) => {
  const intruders = keyless.filter(({ outcome }) => outcome === 'admitted');
  const [first] = intruders;
  if (first !== undefined) {
    return violated(
      'admitted-without-key',
      evidenceOf(
        'no 2xx without a valid key',
        `HTTP ${first.status} with ${first.credential} key (${howMany(intruders.length, 'answer')})`,
        intruders,
      ),
    );
  }
  const { document } = trace.header.deployment;
  const served = keyed.filter(
    ({ outcome, scope }) => outcome === 'admitted' && carriesKeys(document, scope),
  ).length;
  if (served === 0) return inconclusive('no request with a valid key was answered 2xx');
  if (keyless.length === 0) {
    return trace.header.deployment.probeWithoutKey
      ? inconclusive('no request without a key was sent')
      : notApplicable('probeWithoutKey: false sends no request without a key');
  }
  const refused = keyless.filter(({ status }) => status !== null && status < 500).length;
  if (refused === 0) return inconclusive('no request without a key was answered by the API');
  return held(`${served} served with a valid key, ${refused} refused without one`);
};

/** `auth.rejections` */
const judgeRejections: Judge = ({ keyless, ban }) => {
  const answers = keyless.filter(({ status }) => status !== null);
  if (answers.length === 0) return notApplicable('no request was sent without a valid key');
  const texts = distinct(answers.map((exchange) => `${exchange.credential}: ${answerText(exchange)}`));
  return observed(ban === null ? texts : `${texts}; ${ban.reason}`);
};

/** `auth.rejections-cost`: between two neighbouring values of a key, only requests without one were sent. */
const judgeRejectionsCost: Judge = ({ trace }) => {
  const asked = trace.exchanges.find(({ credential }) => credential !== 'valid')?.scope;
  const ordered = trace.exchanges.filter(({ scope, driver }) => scope === asked && driver !== 'k6');
  const drops: number[] = [];
  let last: number | null = null;
  let keylessSince = 0;
  for (const exchange of ordered) {
    if (exchange.credential !== 'valid') {
      keylessSince += 1;
      continue;
    }
    const value = exchange.key === trace.header.keys[0] ? headerInteger(exchange, 'remaining') : null;
    if (value === null) continue;
    if (last !== null && keylessSince > 0) drops.push(last - value - 1);
    last = value;
    keylessSince = 0;
  }
  const [drop] = drops;
  if (drop === undefined)
    return notApplicable('no request without a valid key was sent between two requests of one key');
  return observed(
    drop <= 0
      ? 'they take no place in the window of a valid key'
      : `Remaining of a valid key fell by ${drop} more than its own requests`,
  );
};

/** `version.prefix` */
const judgeVersion: Judge = ({ keyed }) => {
  const byPath = new Map<string, number>();
  let served = 0;
  for (const { outcome, path } of keyed) {
    if (outcome !== 'admitted') continue;
    served += 1;
    byPath.set(path, (byPath.get(path) ?? 0) + 1);
  }
  if (served === 0) return inconclusive('no request was answered 2xx');
  let under = 0;
  for (const [path, count] of byPath) if (/(^|\/)v1(\/|$|\?)/.test(path)) under += count;
  return observed(`${under} of ${howMany(served, 'request')} answered 2xx are under /v1`);
};

/** The judge of each clause of `contract/clauses/access.ts`. */
export const accessJudges: Readonly<Record<AccessClauseId, Judge>> = {
  'auth.bearer': judgeBearer,
  'auth.rejections': judgeRejections,
  'auth.rejections-cost': judgeRejectionsCost,
  'version.prefix': judgeVersion,
};
