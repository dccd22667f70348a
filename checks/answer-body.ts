import { type BodyState, bodyCharactersInFlood, bodyCharactersMax } from '../contract/outcome.ts';

/** Characters of long bodies that a client may still keep. A flood of answers must not fill the memory. */
export type KeptBodies = { charactersLeft: number };

/** Characters that a client keeps of long bodies in all. */
const longBodiesCharactersMax = 8_388_608;

/** What a client has kept before its first request. */
export function noBodies(): KeptBodies {
  return { charactersLeft: longBodiesCharactersMax };
}

/** The body of one answer, while it is read. */
export type AnswerBody = {
  /** Takes the next bytes; `too-long` where no more should be read. */
  readonly read: (chunk: Uint8Array) => 'read' | 'too-long';
  /** What was kept of it once it has ended, or has broken off for a reason. */
  readonly ended: (failure: string | null) => { readonly body: string; readonly bodyState: BodyState };
};

/** A body longer than this is not read: its connection is closed, so that it cannot fill the memory. */
const bodyBytesMax = 1_048_576;

type RawHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Reads the body that follows a head, and keeps as much of it as a trace may hold. */
export function openBody(headers: RawHeaders, kept: KeptBodies): AnswerBody {
  const charactersMax = kept.charactersLeft > 0 ? bodyCharactersMax : bodyCharactersInFlood;
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const statesLength = headers['content-length'] !== undefined || headers['transfer-encoding'] !== undefined;
  let body = '';
  let isBeyondBound = false;
  let bytesLeft = bodyBytesMax;
  const take = (text: string): void => {
    isBeyondBound ||= body.length + text.length > charactersMax;
    body = (body + text).slice(0, charactersMax);
  };
  const stateAfter = (failure: string | null): BodyState => {
    if (isBeyondBound) return 'beyond-bound';
    if (failure !== null) return 'partial';
    return statesLength ? 'whole' : 'until-close';
  };
  return {
    read: (chunk) => {
      bytesLeft -= chunk.length;
      if (!isBeyondBound) take(decoder.decode(chunk, { stream: true }));
      return bytesLeft < 0 ? 'too-long' : 'read';
    },
    ended: (failure) => {
      if (!isBeyondBound) take(decoder.decode());
      if (body.length > bodyCharactersInFlood) kept.charactersLeft -= body.length;
      return { body, bodyState: stateAfter(failure) };
    },
  };
}
