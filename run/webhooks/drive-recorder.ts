import type {
  DeliveryLine,
  DriveHeader,
  DriveLine,
  EffectLine,
} from '../../contract/webhooks/drive/trace.ts';
import { openLines } from '../record/trace-writer.ts';
import { type KeyRemover, keyRemover } from '../record/without-keys.ts';
import type { Secrets } from '../target/take-secrets.ts';

/** Writes a drive down while it happens; no secret gets through. */
export type DriveRecorder = {
  readonly line: (line: DeliveryLine | EffectLine) => void;
  readonly note: (text: string) => void;
  /** The last line, and the end of the file; `reason` is `null` where every case was sent. */
  readonly end: (reason: string | null) => void;
};

export type DriveRecorderOptions = {
  readonly path: string;
  readonly header: DriveHeader;
  readonly secrets: Secrets;
  /** ms since the Unix epoch. */
  readonly nowMs: () => number;
};

export function openDriveRecorder({ path, header, secrets, nowMs }: DriveRecorderOptions): DriveRecorder {
  const trace = openLines<DriveLine>(path, header);
  const remove = secretRemover(secrets);
  return {
    line: (line) => trace.write(line.kind === 'delivery' ? withoutSecrets(line, remove) : line),
    note: (text) => trace.write({ kind: 'note', atMs: nowMs(), text: remove(text) }),
    end: (reason) => {
      const endedAt = new Date(nowMs()).toISOString();
      trace.write({ kind: 'end', endedAt, complete: reason === null, reason });
      trace.close();
    },
  };
}

/** Masks secrets in what is about to be written. */
export function secretRemover(secrets: Secrets): KeyRemover {
  return keyRemover(secrets.map((secret, at) => ({ alias: `secret ${at + 1}`, secret })));
}

/** A receiver may well answer with the secret that it was configured with; what was sent holds none. */
function withoutSecrets(line: DeliveryLine, remove: KeyRemover): DeliveryLine {
  return { ...line, answer: line.answer === null ? null : remove(line.answer) };
}
