import { type FoundK6, findK6, type K6 } from '../../load/runner/find-k6.ts';
import type { Environment } from '../settings/take-keys.ts';
import { UsageError } from '../usage-error.ts';

/** A k6 to run, or what to tell whoever has none. */
export type PreparedK6 =
  | { readonly kind: 'ready'; readonly k6: K6 }
  | { readonly kind: 'missing'; readonly reason: string }
  | { readonly kind: 'aborted' };

/**
 * Finds or builds k6; the build takes minutes, once.
 * @throws {UsageError} where `K6_BIN` names something that is no k6.
 */
export async function prepareK6(options: {
  readonly env: Environment;
  readonly signal: AbortSignal;
  readonly onProgress: (text: string) => void;
}): Promise<PreparedK6> {
  const found: FoundK6 = await findK6(options);
  switch (found.kind) {
    case 'found':
      return { kind: 'ready', k6: found.k6 };
    case 'missing':
      return { kind: 'missing', reason: `${found.reason}. To get k6: ${found.howTo.join('; or ')}` };
    case 'unusable':
      throw new UsageError(found.reason);
    case 'aborted':
      return { kind: 'aborted' };
    default:
      return found satisfies never;
  }
}
