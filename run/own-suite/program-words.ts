import { connectionHints } from '../../checks/failures.ts';
import { noKeyAdvice, showCertificateAdvice } from '../../checks/preflight-fault.ts';
import { UsageError } from '../../contract/usage-error.ts';

const noCertificate = 'no certificate of a client is shown here: ask the app at an address that wants none';

/** What the flags of the command are to a program that calls a function of the package. */
const words: readonly (readonly [string, string])[] = [
  [
    connectionHints.trust,
    'start the tests with the variable NODE_EXTRA_CA_CERTS set to the file of the authority to trust (as PEM)',
  ],
  [connectionHints.show, noCertificate],
  [connectionHints.another, noCertificate],
  [connectionHints.rename, 'give the address with a name that stands in it'],
  [connectionHints.version, 'apps are asked by HTTP/1.1 here'],
  [showCertificateAdvice, `If it asks for a certificate of the client: ${noCertificate}. `],
  [
    noKeyAdvice,
    'No key was sent: if the app needs one, name its variable in keyEnv, and say in the document where it stands: ' +
      'keys: bearer, or { header: X-Api-Key }.',
  ],
  ['--key-env none sends none', 'leave keyEnv out, and none is sent'],
  ['with --key-env', 'in keyEnv'],
  ['(--key-env A,B)', "(keyEnv: ['A', 'B'])"],
  ['; "plan" says how much that is', ''],
  [' (--max-requests)', ''],
];

/** A text of the command in the words of a function that a program calls: it has settings, and no flags. */
export function inProgramWords(text: string): string {
  return words.reduce((told, [flag, setting]) => told.replaceAll(flag, setting), text);
}

/** Runs what may find fault with settings. @throws {UsageError} in the words of a program. */
export function toldToProgram<Made>(make: () => Made): Made {
  try {
    return make();
  } catch (error) {
    if (error instanceof UsageError) throw new UsageError(inProgramWords(error.message));
    throw error;
  }
}
