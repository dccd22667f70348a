import type { Deployment } from '../../contract/deployment.ts';
import { clientCertVariable, clientKeyVariable } from '../../load/k6/parameters.ts';

/**
 * What the environment of a k6 elsewhere has to hold so that it takes the way of the settings: a script holds no files and
 * no proxy. Lines for people; none where nothing is needed.
 */
export function wayElsewhere({
  baseUrls,
  transport = {},
}: Pick<Deployment, 'baseUrls' | 'transport'>): readonly string[] {
  const { http, ca, clientCert, clientKey, proxy } = transport;
  const schemes = new Set(baseUrls.map((url) => new URL(url).protocol));
  const variables = [
    ...(schemes.has('https:') && http !== '2'
      ? ['GODEBUG=http2client=0   (HTTP/1.1, as the checks speak)']
      : []),
    ...(ca === undefined ? [] : [`SSL_CERT_FILE=…   (authorities to trust: ${ca})`]),
    ...(clientCert === undefined ? [] : [`${clientCertVariable}=…   (${clientCert})`]),
    ...(clientKey === undefined ? [] : [`${clientKeyVariable}=…   (${clientKey})`]),
    ...(proxy === undefined || proxy === 'none'
      ? []
      : [...schemes].map((scheme) => `${scheme === 'https:' ? 'HTTPS_PROXY' : 'HTTP_PROXY'}=${proxy}`)),
  ];
  return variables.length === 0
    ? []
    : ['There, k6 needs in its environment:', ...variables.map((line) => `  ${line}`)];
}
