import { burst } from '../burst.ts';
import { manyKeys } from '../many-keys.ts';
import { mediaBurst } from '../media-burst.ts';
import { messagesBurst } from '../messages-burst.ts';
import { mixedScopes } from '../mixed-scopes.ts';
import { nodes } from '../nodes.ts';
import { noisyNeighbour } from '../noisy-neighbour.ts';
import { overPressure } from '../over-pressure.ts';
import { rollingWindow } from '../rolling-window.ts';
import { sustained } from '../sustained.ts';

/** The load suite. */
export const scenarios = [
  messagesBurst,
  mediaBurst,
  burst,
  rollingWindow,
  overPressure,
  sustained,
  noisyNeighbour,
  mixedScopes,
  manyKeys,
  nodes,
] as const;
