import type { TraceHeader } from '../../contract/trace.ts';

export type RunMode = TraceHeader['mode'];
