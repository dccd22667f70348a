// What `import … from 'messaging-conformance/vitest'` gives: limits tested inside one's own suite of Vitest.

export type { Endpoint, ExpectedLimit } from '../../run/own-suite/expected-limit.ts';
export { limitTestMs } from '../../run/own-suite/look-times.ts';
export { describeLimits } from '../../run/own-suite/vitest.ts';
