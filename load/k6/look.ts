import exec from 'k6/execution';
import { lookThinner } from '../../contract/clock-looks.ts';

/** A look that took longer was interrupted between its readings, ms. */
const readingMsMax = 0.5;

/** Where no runner is there to compare the clocks: the share of a wait that has passed is the one monotonic clock of k6. */
export function clockLooker(clock: string, forMs: number): () => void {
  const thin = lookThinner();
  let originMs = 0;
  const spentMs = (): number => exec.scenario.progress * forMs;
  return () => {
    const beforeMs = spentMs();
    const wallMs = Date.now();
    const afterMs = spentMs();
    // Beyond the end the share stays 1.
    if (afterMs - beforeMs > readingMsMax || afterMs >= forMs) return;
    if (originMs === 0) originMs = wallMs - beforeMs;
    const monotonicMs = originMs + (beforeMs + afterMs) / 2;
    const wish = forMs - afterMs < lookLastMs ? 'wanted' : 'if-needed';
    for (const look of thin({ monotonicMs, wallMs }, wish))
      console.log(JSON.stringify({ kind: 'clock', clock, ...look }));
  };
}

/** The last looks are all written, ms: the clocks are compared until the end. */
const lookLastMs = 300;
