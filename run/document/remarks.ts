import { limitIdOf, limitIdOfPart } from '../../contract/clauses/promised-limit.ts';
import { deploymentSchema } from '../../contract/deployment.ts';
import { dearestOf } from '../../contract/document/cost.ts';
import { countedWithin, scopesByRequest } from '../../contract/document/counted-requests.ts';
import {
  type Document,
  furtherIn,
  isRollingIn,
  partsOf,
  passedPartsOf,
  scopesOf,
} from '../../contract/document/document.ts';
import { type LimitPart, probedWindowMsMax } from '../../contract/document/further-limit.ts';
import { pathOf } from '../../contract/document/paths.ts';
import { promisedBody, unmadeText, waitsOf } from '../../contract/document/refusal-body.ts';
import { keptFrom } from '../../contract/document/unreached.ts';

/** A sentence about a document that can be used, and the field that it is about. */
export type Remark = { readonly path: readonly (string | number)[]; readonly text: string };

type ScopeSaid = Document['scopes'][string];

/** What is known of one scope. */
type Known = {
  readonly document: Document;
  readonly name: string;
  readonly said: ScopeSaid;
  readonly first: LimitPart;
};

/** What a run that is held to this document will leave open, or needs from the settings, a sentence each. */
export function remarksOn(document: Document): readonly Remark[] {
  const ofScopes = scopesOf(document).flatMap((name) => {
    const said = document.scopes[name] as ScopeSaid;
    const known = { document, name, said, first: partsOf(document, name)[0] };
    return rules.flatMap((rule) =>
      rule(known).map(({ path, text }) => ({ path: ['scopes', name, ...path], text })),
    );
  });
  return [...unmade(document), ...waitedTooShort(document), ...ofScopes];
}

/** Where limits are kept, a client that waits so long may be refused again: the document contradicts itself. */
function waitedTooShort(document: Document): readonly Remark[] {
  const { waitSeconds } = document.refusal ?? {};
  if (waitSeconds === undefined) return [];
  return scopesOf(document).flatMap((name) =>
    partsOf(document, name).flatMap((part) => {
      const backSeconds = placeBackSeconds(part, dearestOf(document.scopes[name] ?? {}));
      if (backSeconds <= waitSeconds) return [];
      const text = `a place of ${limitIdOf(name, part.name)} may come back only after ${backSeconds} s: waiting ${waitSeconds} s is not enough where it is kept`;
      return [{ path: ['refusal', 'waitSeconds'], text }];
    }),
  );
}

/** How long what a request takes of a limit may be gone, s; 0 where the document does not say. */
function placeBackSeconds({ promise, seconds, perWindow }: LimitPart, cost: number): number {
  switch (promise.kind) {
    case 'rolling':
    case 'fixed':
      return seconds;
    case 'token-bucket':
      return Number(((cost * seconds) / perWindow).toPrecision(3));
    default:
      return 0;
  }
}

/** A body that nobody can make is judged all the same; only the reference service has none to send. */
function unmade(document: Document): readonly Remark[] {
  const { refusal } = document;
  const made = refusal === undefined ? null : promisedBody(refusal, waitsOf(document));
  return made?.kind === 'none' ? [{ path: ['refusal', 'bodySchema'], text: unmadeText(made.why) }] : [];
}

/** Says what it finds, at a field of the scope. */
type Rule = (known: Known) => readonly Remark[];

const rules: readonly Rule[] = [
  unshown,
  elsewhere,
  nested,
  underCap,
  tooFast,
  tooFew,
  tooShort,
  heldLonger,
  byClock,
  tooLong,
  unreached,
];

function unshown({ name, said }: Known): readonly Remark[] {
  if (said.request !== undefined) return [];
  const text = `no request is shown for ${name}: the settings of a deployment have to name one (requests.${name})`;
  return [{ path: [], text }];
}

/** Its own limit would never be seen: the request takes places of another. */
function elsewhere({ document, name, said }: Known): readonly Remark[] {
  const all = [
    { at: ['request', 'path'], request: said.request, what: 'the request' },
    ...(said.others ?? []).map(({ request }, place) => ({
      at: ['others', place, 'request', 'path'],
      request,
      what: 'another request',
    })),
  ];
  return all.flatMap(({ at, request, what }) => {
    if (request === undefined) return [];
    const path = pathOf(request.path);
    const counted = scopesByRequest(document)(path, request.method);
    if (counted === name) return [];
    const text = `${what} of ${name} is ${request.method} ${path}, which is counted as ${counted}: a run would fill that scope in its place`;
    return [{ path: at, text }];
  });
}

function nested({ document, name, said }: Known): readonly Remark[] {
  const apart = countedWithin(document.scopes, name).filter(({ other }) => other !== said.within);
  return apart.map(({ at, other, path }) => {
    const what = [...(said.methods === undefined ? [] : [said.methods.join(', ')]), said.paths?.[at]].join(
      ' ',
    );
    const text = `${what} is within ${path ?? 'all other paths'} of ${other}: the path that says more wins, so it is counted as ${name} alone`;
    return { path: ['paths', at], text };
  });
}

/** The documented minute cannot hold what its seconds let through. */
function underCap({ said, first: { seconds } }: Known): readonly Remark[] {
  const { perSecond, limit } = said;
  if (perSecond === undefined || perSecond * seconds >= limit) return [];
  const most = Math.floor(perSecond * seconds);
  const text = `${perSecond} a second are ${most} in ${seconds} s, and the limit is ${limit}: where the figure is a cap, the limit is never reached, and its clause stays open`;
  return [{ path: ['perSecond'], text }];
}

/** From here on it takes a near service and more than a few connections, requests a second. */
const fastPerSecond = 500;

function tooFast({ said, first }: Known): readonly Remark[] {
  const perSecond = first.perWindow / first.seconds;
  if (perSecond < fastPerSecond) return [];
  const connections = deploymentSchema.shape.connectionsPerScope.parse(undefined);
  const answerMs = (connections * 1_000) / perSecond;
  const text = `${said.limit} in ${first.seconds} s are reached only by more than ${Math.ceil(perSecond)} requests a second: with ${connections} connections (connectionsPerScope) each answer has to come within ${Number(answerMs.toPrecision(2))} ms`;
  return [{ path: ['limit'], text }];
}

/** With fewer places than this, rejected requests that count may stand for admitted ones. */
const rollingPlacesMin = 3;
/** The same in windows shorter than this, s. */
const shortPlacesMin = 20;
const shortSeconds = 10;

function tooFew({ document, name, said, first: { seconds } }: Known): readonly Remark[] {
  const placesMin = seconds < shortSeconds ? shortPlacesMin : rollingPlacesMin;
  if (!isRollingIn(document, name) || said.limit >= placesMin) return [];
  const text = `with ${said.limit} in ${seconds} s, limits.${name}, window.rolling and window.length stay open where the service counts what it rejects: too few places are left to ask for`;
  return [{ path: ['limit'], text }];
}

/** In windows up to this long, s, answers have to come within so many ms for each second of them. */
const nearSeconds = 2;
const nearMsPerSecond = 40;

function tooShort({ document, name, first: { seconds } }: Known): readonly Remark[] {
  if (seconds > nearSeconds || !isRollingIn(document, name)) return [];
  const text = `in a window of ${seconds} s, limits.${name}, window.rolling and window.length may stay open where an answer takes longer than ${Math.round(nearMsPerSecond * seconds)} ms`;
  return [{ path: [], text }];
}

/** Below this the second that a window may be held longer is so much of it that another length passes for it, s. */
const lengthSeconds = 3;
/** From here on another kind does too, s. */
const kindSeconds = 1;

function heldLonger(known: Known): readonly Remark[] {
  return eachPart(known, [], ({ promise, seconds }) => {
    if (seconds >= lengthSeconds || (promise.kind !== 'fixed' && promise.kind !== 'at-least')) return null;
    const other =
      promise.kind === 'fixed' && seconds <= kindSeconds ? 'of another length or kind' : 'of another length';
    return `a window may be held a second longer, so a run tells of one of ${seconds} s how many pass, and may take one ${other} for it`;
  });
}

function byClock(known: Known): readonly Remark[] {
  const skewSeconds = deploymentSchema.shape.clockSkewSecondsMax.parse(undefined);
  return eachPart(known, [], ({ promise, seconds }) =>
    promise.kind === 'fixed' && promise.aligned === 'clock' && seconds <= 2 * skewSeconds
      ? `the service's clock may be ${skewSeconds} s off (clockSkewSecondsMax), so a run takes windows of ${seconds} s that begin at any other moment for those of the clock`
      : null,
  );
}

/** What is to be said of each limit of a scope, at its field; that of the first one is given. */
function eachPart(
  { document, name }: Known,
  first: Remark['path'],
  textOf: (part: LimitPart, parts: readonly LimitPart[]) => string | null,
): readonly Remark[] {
  return partsOf(document, name).flatMap((part, at, parts) => {
    const text = textOf(part, parts);
    return text === null ? [] : [{ path: at === 0 ? first : ['also', at - 1], text }];
  });
}

function tooLong({ document, name }: Known): readonly Remark[] {
  return furtherIn(document, name).flatMap(({ seconds, name: further }, at) => {
    const text = `no run takes as long as ${seconds} s: ${limitIdOf(name, further)} is not looked at`;
    return seconds * 1_000 > probedWindowMsMax ? [{ path: ['also', at], text }] : [];
  });
}

function unreached(known: Known): readonly Remark[] {
  const { document, name } = known;
  return eachPart(known, ['limit'], (part) => {
    const other = keptFrom(part, passedPartsOf(document, name));
    if (other === null) return null;
    return `${limitIdOfPart(name, other)} keeps ${limitIdOf(name, part.name)} from ever being reached: that is not probed`;
  });
}
