import type { DriveCase } from '../case.ts';
import { delivery } from '../delivery.ts';
import { firstCase } from './valid.ts';

/** Rotation: two secrets are right for a while. */
export const secretCases: readonly DriveCase[] = [
  {
    id: 'secrets.rotation',
    group: 'Secrets',
    level: 'must',
    title: 'either secret while one is rotated',
    sends: 'An event that was signed with the first secret, and one with the second.',
    expects: '2xx within the budget, both',
    why: 'Sender and receiver cannot change a secret at the same moment.',
    failure: 'only one secret is known: accept two for the time of a change',
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
