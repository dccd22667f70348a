import { documentedLimits } from '../../contract/scopes.ts';
import { type RunningService, startService } from '../../service/server.ts';

/** The reference service in this process, with the variables and flags by which the command line reaches it. */
export type Reference = {
  readonly service: RunningService;
  readonly env: Readonly<Record<string, string>>;
  readonly flags: readonly string[];
};

export type ReferenceOptions = {
  readonly windowSeconds: number;
  readonly faults?: readonly string[];
  readonly secrets?: readonly [string, string];
};

export async function startReference({
  windowSeconds,
  faults = [],
  secrets,
}: ReferenceOptions): Promise<Reference> {
  const [a, b] = secrets ?? ['first-key-of-a-test', 'second-key-of-a-test'];
  const service = await startService({
    windowMs: windowSeconds * 1_000,
    limits: documentedLimits,
    keys: new Map([
      ['A', a],
      ['B', b],
    ]),
    faults,
  });
  const flags = [
    '--url',
    service.url,
    '--profile',
    'reference',
    '--key-env',
    'KEY_A,KEY_B',
    '--window',
    String(windowSeconds),
  ];
  return { service, env: { KEY_A: a, KEY_B: b }, flags };
}
