import { codeIn, isUnreached, type transportCodes, type unreachableCodes } from '../contract/unreachable.ts';
import { TransportError } from './transport-error.ts';

/** What to set where the other end, or we, are not trusted: that is another thing for each kind of other end. */
type Hints = Readonly<Record<'trust' | 'show' | 'another' | 'rename' | 'version', string>>;

const hints: Readonly<Record<'deployment' | 'receiver', Hints>> = {
  deployment: {
    trust: '--ca FILE names the authority to trust (as PEM), or transport.ca in the settings file',
    show: '--client-cert FILE and --client-key FILE show one',
    another: 'name another with --client-cert FILE and --client-key FILE',
    rename:
      'give --url with a name that stands in it, and --resolve host:port:address where that name leads elsewhere',
    version: '--http 2, or without it 1.1',
  },
  receiver: {
    trust: '--ca FILE names the authority to trust (as PEM)',
    show: '--client-cert FILE and --client-key FILE show one',
    another: 'name another with --client-cert FILE and --client-key FILE',
    rename:
      'give its address with a name that stands in it, and --resolve host:port:address where that name leads elsewhere',
    version: 'receivers are spoken to by HTTP/1.1',
  },
};

/** What the command says of a deployment: whoever is no command has other words for it. */
export const connectionHints = hints.deployment;

type Connecting = Exclude<(typeof unreachableCodes)[number], (typeof transportCodes)[number]>;

const connectingTexts = ({
  trust,
  show,
  another,
  rename,
  version,
}: Hints): Readonly<Record<Connecting, string>> => ({
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host name not found',
  EAI_AGAIN: 'host name could not be looked up',
  EHOSTUNREACH: 'host unreachable',
  ENETUNREACH: 'network unreachable',
  UND_ERR_CONNECT_TIMEOUT: 'connecting took too long',
  EPROTO: 'the TLS handshake failed',
  DEPTH_ZERO_SELF_SIGNED_CERT: `the certificate is signed by itself; ${trust}`,
  SELF_SIGNED_CERT_IN_CHAIN: `the certificate is not signed by a trusted authority; ${trust}`,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: `the certificate is not signed by a trusted authority; ${trust}`,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: `the certificate is not signed by a trusted authority; ${trust}`,
  CERT_HAS_EXPIRED:
    'the certificate of the service has expired, if the clock here is right: whoever runs it has to renew it',
  CERT_NOT_YET_VALID: 'the certificate of the service is not valid yet: check the clocks here and there',
  ERR_TLS_CERT_ALTNAME_INVALID: `the certificate is for another host: ${rename}`,
  ERR_SSL_WRONG_VERSION_NUMBER: 'what listens there is not encrypted: give the address with http://',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: `the service does not speak this version of HTTP: ${version}`,
  ERR_SSL_TLSV1_ALERT_UNKNOWN_CA: `the service does not trust who signed our certificate: ${another}`,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: `the service asks for a certificate of the client: ${show}`,
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': `the service broke the TLS handshake off; where it asks for a certificate of the client, ${show}`,
  'ERR_SSL_SSL/TLS_ALERT_BAD_CERTIFICATE': `the service does not take our certificate: ${another}`,
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_EXPIRED': `our own certificate has expired: ${another}`,
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_UNKNOWN': `the service does not take our certificate: ${another}`,
});

const talking: Readonly<Record<string, string>> = {
  ECONNRESET: 'connection reset',
  EPIPE: 'connection closed while sending',
  UND_ERR_SOCKET: 'connection closed by the other side',
  UND_ERR_HEADERS_TIMEOUT: 'no answer in time',
  UND_ERR_BODY_TIMEOUT: 'the body broke off',
  UND_ERR_HEADERS_OVERFLOW: 'the headers are too large',
  HPE_INVALID_CONSTANT: 'the answer is not HTTP',
};

const texts: Readonly<Record<keyof typeof hints, Readonly<Record<string, string>>>> = {
  deployment: { ...connectingTexts(hints.deployment), ...talking },
  receiver: { ...connectingTexts(hints.receiver), ...talking },
};

/** How the failure text of a request begins that took too long: it has no code. */
const tooLong = 'no answer within ';

/** Why a request has no answer: it took too long. */
export function noAnswerWithin(timeoutMs: number): string {
  return `${tooLong}${timeoutMs / 1_000} s`;
}

/** Why a request has no answer: it never left, since no connection was free for it. */
export function noConnectionWithin(queueMs: number): string {
  return `no connection was free within ${queueMs / 1_000} s`;
}

export function isTimeOut(failure: string): boolean {
  return failure.startsWith(tooLong);
}

/** Why a request has no answer, in a few words with the code of the error. Never contains anything that was sent. */
export function failureText(error: unknown, by: keyof typeof hints = 'deployment'): string {
  const code = codeOf(error);
  return code === null ? 'no answer' : `${failureWords(error, by)} (${code})`;
}

/** The same without the code. */
export function failureWords(error: unknown, by: keyof typeof hints = 'deployment'): string {
  if (error instanceof TransportError) return error.message;
  return texts[by][codeOf(error) ?? ''] ?? 'no answer';
}

/** Where no connection came about for a reason that the address, or the service, may have. */
const ofAddress: ReadonlySet<string | null> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'EPROTO',
] satisfies readonly Connecting[]);

/** A failure text as a sentence, with what to look at where it says nothing of that itself, as that of a certificate does. */
export function failureAdvice(failure: string, hint = ''): string {
  const saysItself = isUnreached(failure) && !ofAddress.has(codeIn(failure));
  return saysItself
    ? `${failure}.`
    : `${failure}. ${hint}Check the address and whether the service is running.`;
}

/** The code of a connection that was closed while a request was on it. */
export const closedByOther = 'UND_ERR_SOCKET';

/** Whether a failure text says that nothing listens there, or something that does not speak HTTP. */
export function isUnreachable(failure: string): boolean {
  return isUnreached(failure) || isNotHttp(failure);
}

export function isNotHttp(failure: string): boolean {
  return codeIn(failure)?.startsWith('HPE_') === true;
}

/** The code of an error or of its cause. An attempt at several addresses fails with one error for each. */
function codeOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError && error.errors.length > 0) return codeOf(error.errors[0]);
  return codeOf(error.cause);
}
