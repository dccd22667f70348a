import type { SinglePromise } from './promise.ts';

/** A limit with its window, as a table has it: "40 in any 60 s", "40 in each 60 s, begun by the clock". */
export function limitText(
  promise: SinglePromise,
  { limit, seconds }: { readonly limit: number; readonly seconds: number },
): string {
  const figure = `${limit} in ${seconds} s`;
  switch (promise.kind) {
    case 'rolling':
      return `${limit} in any ${seconds} s`;
    case 'fixed':
      return `${limit} in each ${seconds} s${beginText[promise.aligned]}`;
    case 'token-bucket':
      return `${promise.size} at once, and ${figure} after that`;
    case 'at-most':
      return `at most ${limit} in any ${seconds} s`;
    case 'at-least':
      return `at least ${limit} in any ${seconds} s`;
    case 'unsaid':
      return `${figure}, by whatever limiter`;
    default:
      return promise satisfies never;
  }
}

const beginText = {
  clock: ', begun by the clock',
  'first-request': ', begun by its first request',
  unsaid: '',
} as const;
