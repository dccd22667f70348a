import type { ProbeRequest } from '../../checks/steps.ts';
import type { KeptAnswer } from './answered.ts';

export type SimulatedRequest = ProbeRequest & {
  readonly method: string;
  readonly path: string;
  readonly node: number;
  readonly connection: number;
  readonly purpose: string;
  readonly userAgent: string;
  /** As a trace has it: absent where it is 1. */
  readonly cost?: number;
};

/** An answer, and how long the service took for it. */
export type SimulatedAnswer = KeptAnswer & { readonly delayMs: number };

/** A service without sockets: decides at a moment of its own clock; `null` never answers. */
export type SimulatedService = (request: SimulatedRequest, nowMs: number) => SimulatedAnswer | null;
