import { rmSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type Holder, takeLock } from '../../service/process-lock.ts';

/** Whose turn it is to build a program: this process's until it says otherwise, or nobody's any more. */
export type BuildTurn =
  | { readonly kind: 'own'; readonly release: () => void }
  /** Another process has built it meanwhile. */
  | { readonly kind: 'built' }
  | { readonly kind: 'aborted' };

export type TurnOptions = {
  readonly signal?: AbortSignal | undefined;
  /** Called once, where another process builds it. */
  readonly onWait: (holder: Holder) => void;
};

const askedEachMs = 200;

/**
 * Waits while another process builds the program at a path: two builds of one program side by side take twice as long and lead to the same.
 * Where no lock can be written, everybody builds.
 */
export async function turnToBuild(path: string, { signal, onWait }: TurnOptions): Promise<BuildTurn> {
  const lock = join(dirname(path), `.${basename(path)}.building`);
  const before = await madeAt(path);
  for (let hasWaited = false; ; hasWaited = true) {
    if (signal?.aborted === true) return { kind: 'aborted' };
    const taken = tryLock(lock);
    if ('release' in taken) {
      if (!hasWaited || (await madeAt(path)) === before) return { kind: 'own', ...taken };
      taken.release();
      return { kind: 'built' };
    }
    if (!hasWaited) onWait(taken);
    await wait(askedEachMs, undefined, { signal }).catch(() => undefined);
  }
}

/** Who has the lock, or what gives it back: nothing, where none can be had. */
function tryLock(lock: string): Holder | { readonly release: () => void } {
  try {
    return takeLock(lock) ?? { release: () => rmSync(lock, { force: true }) };
  } catch {
    return { release: () => undefined };
  }
}

/** When the program at a path was made; `null` where there is none. */
async function madeAt(path: string): Promise<number | null> {
  return stat(path).then(
    ({ ctimeMs }) => ctimeMs,
    () => null,
  );
}
