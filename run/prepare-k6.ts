import { didYouMean } from '../contract/nearest.ts';
import { UsageError } from '../contract/usage-error.ts';
import { type FoundK6, type K6, lookForK6 } from '../load/runner/find-k6.ts';
import { outputsOf } from '../load/runner/k6-outputs.ts';
import type { Environment } from './target/keys.ts';

/** A k6 to run, or what to tell whoever has none. */
export type PreparedK6 =
  | { readonly kind: 'ready'; readonly k6: K6 }
  | { readonly kind: 'missing'; readonly reason: string }
  | { readonly kind: 'aborted' };

/** A k6, now or later. */
export type K6Source = {
  /** Whether it has to be built first, which takes minutes. */
  readonly isUnbuilt: boolean;
  /** Gives it; where there is none, the first call builds it, and tells how far that is. */
  readonly prepare: (onProgress?: OnProgress) => Promise<PreparedK6>;
};

type OnProgress = (text: string) => void;

export type LookOptions = {
  readonly env: Environment;
  readonly signal: AbortSignal;
  /** Outputs of k6 as its own `--out` takes them. */
  readonly outs: readonly string[];
};

/**
 * Looks for k6, and builds none yet.
 * @throws {UsageError} where `K6_BIN` names something that is no k6, or the k6 has not an output that is wanted.
 */
export async function k6Source(options: LookOptions): Promise<K6Source> {
  const looked = await lookForK6(options);
  if (looked.kind !== 'unbuilt') return sourceOf(await preparedOf(looked, options));
  let prepared: Promise<PreparedK6> | null = null;
  return {
    isUnbuilt: true,
    prepare: (onProgress) => {
      // Much has been sent by then: what is unusable costs the load alone.
      prepared ??= looked
        .build(onProgress)
        .then((found) => preparedOf(found, options))
        .catch((error: unknown) => {
          if (!(error instanceof UsageError)) throw error;
          return { kind: 'missing', reason: error.message };
        });
      return prepared;
    },
  };
}

/** One that is known already. */
export function sourceOf(prepared: PreparedK6): K6Source {
  return { isUnbuilt: false, prepare: () => Promise.resolve(prepared) };
}

/**
 * Finds or builds k6; the build takes minutes, once.
 * @throws {UsageError} as `k6Source` does.
 */
export async function prepareK6(options: LookOptions, onProgress: OnProgress): Promise<PreparedK6> {
  return (await k6Source(options)).prepare(onProgress);
}

async function preparedOf(found: FoundK6, options: LookOptions): Promise<PreparedK6> {
  switch (found.kind) {
    case 'found':
      await checkOutputs(found.k6, options);
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

/** Only the k6 that will run knows what was built into it. */
async function checkOutputs(k6: K6, { outs, env, signal }: LookOptions): Promise<void> {
  if (outs.length === 0) return;
  const known = await outputsOf(k6, { env, signal });
  if (known === null) return;
  for (const out of outs) {
    const [type = ''] = out.split('=');
    if (known.includes(type)) continue;
    throw new UsageError(
      `--k6-out ${out}: k6 v${k6.version} has no output "${type}"${didYouMean(type, known)} ` +
        `Outputs: ${known.join(', ')}; others need a k6 that they were built into, named by K6_BIN.`,
    );
  }
}
