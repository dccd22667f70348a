import { furtherIn, scopesOf, windowShareOf } from './document/document.ts';
import { probedWindowMsMax } from './document/further-limit.ts';
import { greatestOf } from './extremes.ts';
import type { Scope } from './scopes.ts';
import type { TraceHeader } from './trace-header.ts';

/** How long the window of a scope is, ms: the trace's, where the document gives the scope none of its own. */
export function windowMsIn(
  { windowMs, deployment }: Pick<TraceHeader, 'windowMs' | 'deployment'>,
  scope: Scope,
): number {
  return windowMs * windowShareOf(deployment.document, scope);
}

/** The longest window of any limit, ms. */
export function longestWindowMsIn(header: Pick<TraceHeader, 'windowMs' | 'deployment'>): number {
  const { document } = header.deployment;
  const scale = header.windowMs / document.windowSeconds;
  return greatestOf(
    scopesOf(document).flatMap((scope) => [
      windowMsIn(header, scope),
      ...furtherIn(document, scope).map(({ wholeSeconds }) => wholeSeconds * scale),
    ]),
  );
}

/** How long a refused client may have to wait in a run at most, ms: for as long as the longest window, or as the document says itself. */
export function longestWaitMsIn(header: Pick<TraceHeader, 'windowMs' | 'deployment'>): number {
  const { waitSeconds = 0 } = header.deployment.document.refusal ?? {};
  return Math.max(longestWindowMsIn(header), 1_000 * waitSeconds);
}

/** The longest window that a run fills, ms. */
export function longestProbedMsIn(header: Pick<TraceHeader, 'windowMs' | 'deployment'>): number {
  const { document } = header.deployment;
  const scale = header.windowMs / document.windowSeconds;
  return greatestOf(
    scopesOf(document).flatMap((scope) => [
      windowMsIn(header, scope),
      ...furtherIn(document, scope)
        .map(({ wholeSeconds }) => wholeSeconds * scale)
        .filter((ms) => ms <= probedWindowMsMax),
    ]),
  );
}
