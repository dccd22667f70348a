import type { DriveCase } from '../case.ts';
import { delivery } from '../delivery.ts';
import { firstCase } from './valid.ts';

/** A change of the secret: for a while, two secrets are valid. */
export const secretCases: readonly DriveCase[] = [
  {
    id: 'secrets.rotation',
    group: 'Secrets',
    level: 'must',
    title: 'both secrets during a change',
    sends: 'An event with a signature by the first secret, and one by the second.',
    expects: '2xx within the budget, both',
    why: 'Sender and receiver cannot change a secret at the same moment.',
    failure: 'only one secret is known: accept two during a change',
    needs: 'second-secret',
    dependsOn: [firstCase],
    actions: [
      {
        kind: 'in-turn',
        deliveries: [delivery('first-secret'), delivery('second-secret', { signature: 'by-second-secret' })],
      },
    ],
  },
];
