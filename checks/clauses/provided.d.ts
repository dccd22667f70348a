import type { Judgement } from '../../contract/judgement.ts';

declare module 'vitest' {
  /** What scripts/checks-setup.ts hands to the check files: the one judgement, and where its trace is. */
  interface ProvidedContext {
    judgement: Judgement;
    traceFile: string;
  }
}
