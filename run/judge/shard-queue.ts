import type { Returns } from '../../contract/pictures.ts';
import type { GroupColumns } from '../../judge/identify/group-columns.ts';
import type { Identification } from '../../judge/identify/identification.ts';

/** What several threads identify together: each takes the next group that none has taken. */
export type ShardQueue = { readonly groups: readonly GroupColumns[]; readonly taken: Int32Array };

/** What a thread found of a group, by its place. */
export type GroupFinding = {
  readonly at: number;
  readonly identification: Identification;
  /** How capacity came back there; `null` where that could not be drawn. */
  readonly returned: readonly Returns[] | null;
};

export type ShardFindings = readonly GroupFinding[];

export function queueOf(groups: readonly GroupColumns[]): ShardQueue {
  return { groups, taken: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) };
}

/** The place of the next group that nobody has taken; beyond all of them where there is none. */
export function nextOf({ taken }: ShardQueue): number {
  return Atomics.add(taken, 0, 1);
}
