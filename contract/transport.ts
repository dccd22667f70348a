import { z } from 'zod';

const proxySchema = z
  .string()
  .refine(
    (text) => text === 'none' || isProxyUrl(text),
    'must be an address like "http://proxy.example.test:3128", or "none"',
  )
  .refine(
    (text) => !hasUser(text),
    'must hold no user or password: put those into the environment variable HTTPS_PROXY or HTTP_PROXY',
  );

const redirectionSchema = z
  .string()
  .refine(
    (text) => readRedirection(text) !== null,
    'must be host:port:address, e.g. "api.example.test:443:127.0.0.1" or "api.example.test:443:[::1]"',
  );

/**
 * How requests get to the deployment. Node and k6 both obey every field. Files are named, never held: what is in them
 * stays out of the trace.
 */
export const transportSchema = z.strictObject({
  /** A file of certificates, as PEM: authorities to trust beside those that Node and the system trust. */
  ca: z.string().min(1).optional(),
  /** Files with our own certificate and its private key, as PEM, for a service that asks clients for one. */
  clientCert: z.string().min(1).optional(),
  clientKey: z.string().min(1).optional(),
  /** A proxy; `none` for no proxy. Left out: what HTTPS_PROXY, HTTP_PROXY and NO_PROXY say. */
  proxy: proxySchema.optional(),
  /** The one version of HTTP that is spoken; 2 needs https://. Left out: 1.1. */
  http: z.enum(['1.1', '2']).optional(),
  /** Take addresses of this version alone. Left out: whichever a host name has. */
  ip: z.enum(['4', '6']).optional(),
  /** Where names really are, each as host:port:address. The certificate is still checked for the name. */
  resolve: z.array(redirectionSchema).max(64).optional(),
});

export type TransportSettings = z.infer<typeof transportSchema>;

/** One name that is to be looked for at another address. */
export type Redirection = {
  /** As in a URL: an IPv6 address is in brackets. */
  readonly host: string;
  readonly port: number;
  /** Without brackets. */
  readonly address: string;
};

/** `host:port:address` as curl's own --resolve takes it; `null` where it is none. An IPv6 address may be in brackets. */
export function readRedirection(text: string): Redirection | null {
  const [, given = '', port = '', bracketed = ''] =
    /^(\[[0-9a-f:.]+\]|[^:[\]\s/\\]+):(\d{1,5}):(.+)$/i.exec(text) ?? [];
  const host = hostIn(given);
  const address = bracketed.replace(/^\[(.*)\]$/, '$1');
  const isIp = isIpv4(address) || hostIn(`[${address}]`) !== null;
  if (!isIp || host === null || Number(port) < 1 || Number(port) > 65_535) return null;
  return { host, port: Number(port), address };
}

/** A host as URLs write it; `null` where a text is none, or more than that. */
function hostIn(text: string): string | null {
  if (!URL.canParse(`http://${text}/`)) return null;
  const { href, hostname } = new URL(`http://${text}/`);
  return href === `http://${hostname}/` ? hostname : null;
}

function isIpv4(text: string): boolean {
  return /^(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)(?:\.(?!$)|$)){4}$/.test(text);
}

/** The port that a URL names, or that its scheme stands for. */
export function portOf({ port, protocol }: Pick<URL, 'port' | 'protocol'>): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/** A proxy as it is used. */
export type ProxyAddress = {
  /** Without user and password: this is what may be shown. */
  readonly url: string;
  /** Value of `Proxy-Authorization`; `null` where the proxy is given no user. A secret. */
  readonly authorization: string | null;
  /** The same proxy with its user and password, as Go reads it from its environment. A secret. */
  readonly secretUrl: string;
  /** Where it comes from: a variable or a setting. */
  readonly source: string;
};

/** How requests get to the nodes of a deployment, with everything looked up and read. Never written anywhere as it is. */
export type Transport = {
  readonly settings: TransportSettings;
  /** For each base URL its proxy; `null` where requests go straight. */
  readonly proxies: readonly (ProxyAddress | null)[];
  /** All certificates to trust, as PEM; `null` where nothing is encrypted. */
  readonly trusted: readonly string[] | null;
  /** Our own certificate; `null` where there is none. */
  readonly client: ClientCertificate | null;
};

export type ClientCertificate = {
  readonly certPath: string;
  readonly keyPath: string;
  /** What is in the two files. The key is a secret. */
  readonly cert: string;
  readonly key: string;
};

/** Straight to the host, by what Node trusts. */
export const plainTransport: Transport = { settings: {}, proxies: [], trusted: null, client: null };

function isProxyUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).pathname === '/';
}

function hasUser(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { username, password } = new URL(text);
  return username !== '' || password !== '';
}
