import type { DeploymentInput } from '../../contract/deployment.ts';
import { literal } from './literal.ts';
import { settingsType } from './settings-type.ts';

/** What a first settings file is made from. */
export type FirstSettings = Pick<DeploymentInput, 'baseUrls'> & {
  readonly keyEnv: NonNullable<DeploymentInput['keyEnv']>;
  readonly requests: NonNullable<DeploymentInput['requests']>;
};

type RequestName = keyof FirstSettings['requests'];

/** Above each request: what it stands for. */
const requestComments: Readonly<Record<RequestName, string>> = {
  standard: 'Standard routes, 120 a minute.',
  messages:
    '/v1/messages and below, 300 a minute. A POST sends real messages, unless it is counted and then refused (answered: 422).',
  messagesSubpath: 'A path below /v1/messages that is answered 2xx: it shares their window.',
  media: 'Media uploads, 30 a minute. These are real uploads.',
  otherError: 'A request that is answered with an error other than 429, to see its shape.',
};

/** What stands in a comment for a request that was not named. */
const requestExamples: FirstSettings['requests'] = {
  standard: { method: 'GET', path: '/v1/status' },
  messages: { method: 'GET', path: '/v1/messages?limit=1' },
  messagesSubpath: { method: 'GET', path: '/v1/messages/ID' },
  media: { method: 'POST', path: '/v1/media', body: { file: { field: 'file', bytes: 64 } } },
  otherError: { method: 'GET', path: '/v1/no-such-path' },
};

/** What can be set beside, with what holds where it is left out. */
export const furtherSettings: readonly (readonly [name: string, value: string, comment: string])[] = [
  ['windowSeconds', '60', 'a shorter window, for a test system'],
  ['exclusiveKeys', 'true', 'false where somebody else uses the keys during a run'],
  ['probeWithoutKey', 'true', 'false where an address is banned for requests without a key'],
  ['clockSkewSecondsMax', '5', 'how far the clock of the service may be off'],
  ['requestTimeoutSeconds', '10', 'after this time a request counts as unanswered'],
  ['connectionsPerScope', '50', 'connections that are opened in advance'],
  ['breaker', '{ failuresInARow: 20 }', 'a run stops sending after so many failures in a row'],
];

/** The same for what has no default: an example. */
const furtherExamples: readonly (readonly [name: string, value: string, comment: string])[] = [
  ['name', "'staging'", 'what reports call this deployment'],
  ['perSecond', "'average'", 'or ’cap’: what "2 per second" means, if 429s depend on it'],
  ['maxRequests', '5000', 'a run never sends more than this'],
  ['transport', "{ ca: 'company-ca.pem' }", 'the way there: docs/transports.md'],
];

/** A settings file: what was chosen, what else could be, and a type that needs nothing beside it. */
export function configText({ baseUrls, keyEnv, requests }: FirstSettings): string {
  const names = Object.keys(requestComments) as readonly RequestName[];
  const chosen = names.flatMap((name) => {
    const request = requests[name];
    return request === undefined
      ? [`    // ${requestComments[name]}`, `    // ${name}: ${literal(requestExamples[name])},`]
      : [
          `    // ${requestComments[name]}`,
          ...(hasEmptyBody(request) ? ['    // Its body has to be filled in.'] : []),
          `    ${name}: ${literal(request)},`,
        ];
  });
  return [
    `// Settings of "conformance" for a deployment, made by "conformance init".`,
    '// "conformance doctor" sees with about ten requests whether they are right. No key belongs into this file.',
    '// The types at the end are for your editor alone: the object without them works too, and so does a file of JSON',
    '// (--config settings.json).',
    '',
    'export default {',
    '  // The base URL, or one for each node of the service. A host that is not this machine needs --allow-host too.',
    `  baseUrls: ${literal(baseUrls)},`,
    '  // Names of the environment variables that hold the API keys. All clauses need two keys.',
    `  keyEnv: ${literal(keyEnv)},`,
    '  // The request that stands for each scope. A scope without one is not run, and the run is incomplete.',
    '  requests: {',
    ...chosen,
    '  },',
    '',
    '  // These are the defaults of further settings.',
    ...further(furtherSettings),
    '  // These have none.',
    ...further(furtherExamples),
    '} satisfies Settings;',
    '',
    settingsType(),
  ].join('\n');
}

function hasEmptyBody({ body }: NonNullable<FirstSettings['requests'][RequestName]>): boolean {
  return body !== undefined && 'json' in body && literal(body.json) === '{}';
}

function further(settings: typeof furtherSettings): readonly string[] {
  return settings.map(([name, value, comment]) => `  // ${name}: ${value}, // ${comment}`);
}
