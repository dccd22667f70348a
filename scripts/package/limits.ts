// What `import … from 'messaging-conformance/limits'` gives: a limit of one's own app, tested by a plain function in any
// suite.

export type { Endpoint, ExpectedLimit } from '../../run/own-suite/expected-limit.ts';
export { keepsLimit, LimitError, type LookOptions } from '../../run/own-suite/keeps-limit.ts';
export { limitTestMs } from '../../run/own-suite/look-times.ts';
