import type { Exchange } from '../../contract/exchange.ts';
import type { Step } from '../steps.ts';
import { requestsMaxOf, spanMsMaxOf, type Unknown } from './unknown.ts';

/**
 * A step as far as the bounds of the identification allow it: fewer requests where fewer are left, and the end where none
 * is, or where it would wait until after the time is up.
 */
export function withinBounds(
  target: Unknown,
  soFar: readonly Exchange[],
  { step, nowMs }: { readonly step: Step; readonly nowMs: number },
): Step {
  const untilMs = (soFar[0]?.sentMs ?? nowMs) + spanMsMaxOf(target);
  const left = requestsMaxOf(target) - soFar.length;
  switch (step.kind) {
    case 'send':
      return nowMs > untilMs || left <= 0
        ? { kind: 'done' }
        : { ...step, requests: step.requests.slice(0, left) };
    case 'wait':
      return step.untilMs > untilMs || left <= 0 ? { kind: 'done' } : step;
    case 'done':
      return step;
    default:
      return step satisfies never;
  }
}
