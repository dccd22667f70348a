import type { Deployment } from '../deployment.ts';
import type { Document } from '../document/document.ts';
import type { RequestTemplate } from '../request-template.ts';
import { withheld } from './withheld.ts';

/** Last words of names whose values are secret: `X-Api-Key`, `accessToken`, `Cookie`. */
const secretWords = new Set(
  (
    'key apikey token apitoken authtoken accesstoken secret clientsecret password passwd pwd passphrase auth ' +
    'authorization authentication cookie cookies credential credentials session sessionid jwt bearer'
  ).split(' '),
);

/** Words before a `key` or a `token` that anybody may see: `Idempotency-Key`, `nextPageToken`. */
const harmlessWords = new Set(
  (
    'idempotency idempotent dedup deduplication partition routing surrogate cache sort order ordering message event ' +
    'correlation foreign primary socket page next previous continuation sync cursor max min'
  ).split(' '),
);

/** Whether what stands under a name is a secret: the name of a header, of a field or of a parameter. */
export function isSecretName(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase();
  const [last = '', before = ''] = words.split(/[^a-z0-9]+/).reverse();
  if (harmlessWords.has(before)) return false;
  return secretWords.has(last) || (before === 'session' && last === 'id');
}

/** The same of a parameter in a query: `?key=` alone is what most often names no secret there. */
export function isSecretParameter(name: string): boolean {
  return name.toLowerCase() !== 'key' && isSecretName(name);
}

/** A part of a query: `name=value`. */
const parameter = /([?&])([^=&#]+)=([^&#]+)/g;

/** Secret parameters of a path, with what their values stand for. */
export function secretParametersIn(
  path: string,
): readonly { readonly name: string; readonly value: string }[] {
  return [...path.matchAll(parameter)]
    .map(([, , name = '', value = '']) => ({ name, value: decoded(value) }))
    .filter(({ name }) => isSecretParameter(name));
}

/** Where settings hold a secret by its name, e.g. `requests.standard.headers.X-Api-Key`. */
export type SecretPlace = {
  readonly place: string;
  readonly kind: 'header' | 'parameter';
  readonly name: string;
};

/** Secrets in the requests of settings: in their headers and queries. Bodies are for the service to judge. */
export function secretPlacesIn({
  requests,
  otherMethods,
}: Pick<Deployment, 'requests' | 'otherMethods'>): readonly SecretPlace[] {
  const templates = [
    ...Object.entries(requests).map(([name, template]) => [`requests.${name}`, template] as const),
    ...Object.entries(otherMethods).map(([name, template]) => [`otherMethods.${name}`, template] as const),
  ];
  return secretsIn(templates);
}

/** The same of the requests that a document shows, e.g. `scopes.search.request.headers.X-Api-Key`. */
export function secretPlacesInDocument({ scopes }: Pick<Document, 'scopes'>): readonly SecretPlace[] {
  return secretsIn(Object.entries(scopes).map(([name, { request }]) => [`scopes.${name}.request`, request]));
}

function secretsIn(
  templates: readonly (readonly [place: string, template: RequestTemplate | undefined])[],
): readonly SecretPlace[] {
  return templates.flatMap(([place, template]) =>
    template === undefined
      ? []
      : [
          ...Object.entries(template.headers)
            .filter(([name, value]) => isSecretName(name) && value !== withheld)
            .map(([name]) => ({ place: `${place}.headers.${name}`, kind: 'header', name }) as const),
          ...secretParametersIn(template.path)
            .filter(({ value }) => value !== withheld)
            .map(({ name }) => ({ place: `${place}.path`, kind: 'parameter', name }) as const),
        ],
  );
}

/** Settings as they may be written down: what stands under the name of a secret is withheld. */
export function shownDeployment(deployment: Deployment): Deployment {
  const shown = <Templates extends Readonly<Record<string, RequestTemplate | undefined>>>(
    templates: Templates,
  ) =>
    Object.fromEntries(
      Object.entries(templates).map(([name, one]) => [name, one === undefined ? one : shownTemplate(one)]),
    ) as Templates;
  return {
    ...deployment,
    requests: shown(deployment.requests),
    otherMethods: shown(deployment.otherMethods),
  };
}

function shownTemplate(template: RequestTemplate): RequestTemplate {
  const { path, headers, body } = template;
  return {
    ...template,
    path: shownPathOf(path),
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, isSecretName(name) ? withheld : value]),
    ),
    ...(body !== undefined && 'json' in body
      ? { body: { json: JSON.parse(JSON.stringify(body.json), shownField) as typeof body.json } }
      : {}),
  };
}

/** A path without what its query holds under the name of a secret. */
export function shownPathOf(path: string): string {
  return path.replace(parameter, (whole, sign: string, name: string) =>
    isSecretParameter(name) ? `${sign}${name}=${withheld}` : whole,
  );
}

function shownField(name: string, value: unknown): unknown {
  return typeof value === 'string' && isSecretName(name) ? withheld : value;
}

function decoded(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}
