import type { Dispatcher } from 'undici';

/**
 * The one controller that a caller holds while its request waits and is sent once or several times: it stands for the
 * controller of whatever connection is in use, and takes an abort while there is none.
 */
export class StableController implements Dispatcher.DispatchController {
  #target: Dispatcher.DispatchController | null = null;
  #paused = false;
  #aborted: Error | null = null;
  readonly #onAbort: (reason: Error, target: Dispatcher.DispatchController | null) => void;

  constructor(onAbort: (reason: Error, target: Dispatcher.DispatchController | null) => void) {
    this.#onAbort = onAbort;
  }

  /** The connection in use, `null` where there is none. */
  set target(target: Dispatcher.DispatchController | null) {
    this.#target = target;
    if (this.#paused) target?.pause();
  }

  get target(): Dispatcher.DispatchController | null {
    return this.#target;
  }

  abort(reason: Error): void {
    if (this.#aborted !== null) return;
    this.#aborted = reason;
    this.#onAbort(reason, this.#target);
  }

  pause(): void {
    this.#paused = true;
    this.#target?.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#target?.resume();
  }

  get paused(): boolean {
    return this.#paused;
  }

  get aborted(): boolean {
    return this.#aborted !== null;
  }

  get reason(): Error | null {
    return this.#aborted;
  }

  /** fetch reads an answer's headers from here. */
  get rawHeaders(): NonNullable<Dispatcher.DispatchController['rawHeaders']> | null {
    return this.#target?.rawHeaders ?? null;
  }

  get rawTrailers(): NonNullable<Dispatcher.DispatchController['rawTrailers']> | null {
    return this.#target?.rawTrailers ?? null;
  }
}
