/** All headers of an answer, by their names in small letters. */
export type RawHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A sign of something between us and the API: what stands in which header, and whose it is. */
type Mark = { readonly header: string; readonly like?: RegExp; readonly whose: string };

/** By what they write themselves; `set-cookie` is looked through by the names of cookies. */
const marks: readonly Mark[] = [
  { header: 'cf-ray', whose: 'Cloudflare' },
  { header: 'server', like: /^cloudflare/i, whose: 'Cloudflare' },
  { header: 'set-cookie', like: /^(__cf_bm|cf_clearance|__cflb)=/, whose: 'Cloudflare' },
  { header: 'x-amz-cf-id', whose: 'Amazon CloudFront' },
  { header: 'x-amz-apigw-id', whose: 'Amazon API Gateway' },
  { header: 'server', like: /^awselb/i, whose: 'an Amazon load balancer' },
  { header: 'set-cookie', like: /^AWSALB/, whose: 'an Amazon load balancer' },
  { header: 'x-amzn-waf-action', whose: 'AWS WAF' },
  { header: 'x-azure-ref', whose: 'Azure Front Door' },
  { header: 'x-goog-request-id', whose: 'Google Cloud' },
  { header: 'via', like: /\bgoogle\b/i, whose: 'a Google load balancer' },
  { header: 'server', like: /^AkamaiGHost/i, whose: 'Akamai' },
  { header: 'x-akamai-transformed', whose: 'Akamai' },
  { header: 'set-cookie', like: /^(ak_bmsc|bm_sz|_abck)=/, whose: 'Akamai Bot Manager' },
  { header: 'x-served-by', like: /^cache-/i, whose: 'Fastly' },
  { header: 'x-iinfo', whose: 'Imperva' },
  { header: 'set-cookie', like: /^(incap_ses_|visid_incap_)/, whose: 'Imperva' },
  { header: 'x-sucuri-id', whose: 'Sucuri' },
  { header: 'set-cookie', like: /^BIGipServer/, whose: 'F5 BIG-IP' },
  { header: 'set-cookie', like: /^datadome=/i, whose: 'DataDome' },
  { header: 'x-vercel-id', whose: 'Vercel' },
  { header: 'fly-request-id', whose: 'Fly.io' },
  { header: 'x-kong-proxy-latency', whose: 'Kong' },
  { header: 'x-envoy-upstream-service-time', whose: 'Envoy' },
  { header: 'server', like: /^(envoy|istio-envoy)/i, whose: 'Envoy' },
  { header: 'x-varnish', whose: 'Varnish' },
  { header: 'server', like: /^(nginx|openresty)/i, whose: 'nginx' },
  { header: 'server', like: /^(haproxy|traefik|caddy|squid)/i, whose: 'a proxy (by its Server header)' },
  { header: 'x-cache', whose: 'a cache' },
  { header: 'age', whose: 'a cache' },
  { header: 'via', whose: 'a proxy (by its Via header)' },
];

/** Something between us and the API, and the headers that show it. */
export type Layer = { readonly whose: string; readonly headers: readonly string[] };

/** What is in between by its own marks, each once, in the order of the table. */
export function layersIn(answers: readonly RawHeaders[]): readonly Layer[] {
  const seen = new Map<string, Set<string>>();
  for (const { header, like, whose } of marks) {
    const isShown = (value: string): boolean => like === undefined || like.test(value);
    if (!answers.some((answer) => valuesOf(answer[header]).some(isShown))) continue;
    const headers = seen.get(whose) ?? new Set();
    seen.set(whose, headers.add(header));
  }
  return [...seen].map(([whose, headers]) => ({ whose, headers: [...headers] }));
}

function valuesOf(value: string | readonly string[] | undefined): readonly string[] {
  if (value === undefined) return [];
  return typeof value === 'string' ? [value] : value;
}
