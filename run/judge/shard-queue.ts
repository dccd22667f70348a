import type { GroupColumns } from '../../judge/identify/group-columns.ts';
import type { Identification } from '../../judge/identify/identifying.ts';

/** What several threads identify together: each takes the next group that none has taken. */
export type ShardQueue = { readonly groups: readonly GroupColumns[]; readonly taken: Int32Array };

/** The limiters that a thread found, by the places of their groups. */
export type Found = readonly (readonly [at: number, found: Identification])[];

export function queueOf(groups: readonly GroupColumns[]): ShardQueue {
  return { groups, taken: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) };
}

/** The place of the next group that nobody has taken; beyond all of them where there is none. */
export function nextOf({ taken }: ShardQueue): number {
  return Atomics.add(taken, 0, 1);
}
