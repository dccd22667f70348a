/**
 * Shows that capacity returns request by request, as each leaves the window, and never all at once: waves at
 * `/v1/messages` and of uploads around a boundary of the wall-clock minute and around the expiry of the first wave
 * (clause `load.rolling-window`). A window that starts anew at the boundary, or with its first request, admits up to
 * twice the limit within seconds.
 *
 * Requests: about 3.4 × the limit (1,005 messages, 101 uploads), on one key.
 * Time: 1.3 windows after a boundary that comes within one window: 80 s to 140 s.
 */
import { rollingWindowPlan } from './k6/plans/rolling-window.ts';
import { k6Scenario } from './k6/scenario.ts';

const scenario = k6Scenario(rollingWindowPlan);

export const { options, setup, handleSummary } = scenario;
export default scenario.iteration;
