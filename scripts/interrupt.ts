import process from 'node:process';

/** The exit status of a program that Ctrl-C ended (128 + SIGINT). */
export const interruptedExitCode = 130;

/**
 * The terminal sends a Ctrl-C to npm and to this program, and npm passes it on: one key press arrives twice, milliseconds
 * apart. Only a signal that comes later than this is a second key press.
 */
const samePressMs = 500;

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** The first Ctrl-C aborts the signal, so that a run can end its trace and its processes; a second exits at once. */
export function watchInterrupts(): { readonly signal: AbortSignal; stop(): void } {
  const controller = new AbortController();
  let firstMs = Number.NaN;
  const onSignal = (): void => {
    const nowMs = performance.now();
    if (!controller.signal.aborted) {
      firstMs = nowMs;
      controller.abort();
    } else if (nowMs - firstMs > samePressMs) {
      process.exit(interruptedExitCode);
    }
  };
  for (const signal of signals) process.on(signal, onSignal);
  return {
    signal: controller.signal,
    stop: () => {
      for (const signal of signals) process.off(signal, onSignal);
    },
  };
}

export function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
}
