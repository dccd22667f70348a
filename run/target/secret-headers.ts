import type { ProbeKey } from '../../checks/http-request.ts';
import type { Deployment } from '../../contract/deployment.ts';
import { isOwnHeader, isSameHeader } from '../../contract/header-name.ts';
import type { RequestTemplate } from '../../contract/request-template.ts';
import { withheld } from '../../contract/secret/withheld.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { headerPair, shownHeader } from './header-pair.ts';
import { type Environment, shownName, similarNames } from './keys.ts';

/** A header of every request, and the environment variable that holds its value: `X-Api-Key=MY_KEY`. */
export type SecretHeader = { readonly name: string; readonly variable: string };

/** Headers with their values: never written anywhere. */
export type HeaderValues = Readonly<Record<string, string>>;

/**
 * The headers that `--header-env` names.
 * @throws {UsageError} where one cannot be read or set; repeats nothing that could be a secret.
 */
export function secretHeadersOf(texts: readonly string[] = []): readonly SecretHeader[] {
  const headers = texts.map((text) => {
    const [name, variable] = headerPair(text, '--header-env X-Api-Key=MY_KEY');
    if (isOwnHeader(name)) {
      throw new UsageError(
        `--header-env ${name}: this header belongs to the request itself, and cannot be set.`,
      );
    }
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(variable)) {
      throw new UsageError(
        `--header-env ${shownHeader(name)} takes the name of an environment variable, not a secret itself: ` +
          'X-Api-Key=MY_KEY.',
      );
    }
    return { name, variable };
  });
  const twice = headers.find(({ name }, at) => headers.findIndex((one) => isSameHeader(one.name, name)) < at);
  if (twice !== undefined)
    throw new UsageError(`--header-env names ${shownHeader(twice.name)} twice: name it once.`);
  return headers;
}

/**
 * Their values, taken out of the environment so that no child process inherits them; `kept` are variables that somebody
 * else still reads.
 * @throws {UsageError} naming the variable, never what it holds.
 */
export function takeHeaders(
  headers: readonly SecretHeader[],
  env: Environment,
  kept: readonly string[] = [],
): HeaderValues {
  const values = headers.map(({ name, variable }) => [name, valueIn({ name, variable }, env)] as const);
  for (const { variable } of headers) if (!kept.includes(variable)) delete env[variable];
  return Object.fromEntries(values);
}

function valueIn({ name, variable }: SecretHeader, env: Environment): string {
  const value = env[variable];
  const shown = shownName(variable, env);
  if (value === undefined || value === '') {
    throw new UsageError(
      `The environment variable ${shown} is ${value === '' ? 'empty' : 'not set'}: set it to the value of ${shownHeader(name)} ` +
        `(export ${shown}=…), or name another with --header-env${similarNames(variable, env)}`,
    );
  }
  if (!/^[\x21-\x7e](?:[\x20-\x7e]{0,4094}[\x21-\x7e])?$/.test(value)) {
    throw new UsageError(
      `The environment variable ${shown} holds no usable value of ${shownHeader(name)}: it must be 1 to 4096 printable ASCII ` +
        'characters, without line breaks, and without white space around them.',
    );
  }
  return value;
}

/** A shorter word of a value may stand anywhere by chance. */
const wordCharactersMin = 8;

/** What may not be written of them: each value, and the words of one with several, as a cookie or `Basic …` has. */
export function headerSecrets(values: HeaderValues): readonly ProbeKey[] {
  return Object.entries(values).flatMap(([alias, value]) => {
    const words = value.split(/[\s;,="]+/).filter(({ length }) => length >= wordCharactersMin);
    return [...new Set([value, ...words])].map((secret) => ({ alias, secret }));
  });
}

/** Settings whose requests have these headers, instead of others of the same name. */
export function withHeaders(deployment: Deployment, values: HeaderValues): Deployment {
  if (Object.keys(values).length === 0) return deployment;
  const all = <Templates extends Readonly<Record<string, RequestTemplate | undefined>>>(
    templates: Templates,
  ) =>
    Object.fromEntries(
      Object.entries(templates).map(([name, one]) => [
        name,
        one === undefined ? one : withHeadersOf(one, values),
      ]),
    ) as Templates;
  return { ...deployment, requests: all(deployment.requests), otherMethods: all(deployment.otherMethods) };
}

function withHeadersOf(template: RequestTemplate, values: HeaderValues): RequestTemplate {
  const names = Object.keys(values);
  const others = Object.entries(template.headers).filter(
    ([name]) => !names.some((one) => isSameHeader(one, name)),
  );
  return { ...template, headers: { ...Object.fromEntries(others), ...values } };
}

/** The same settings as they may be written down: the names of the headers, without their values. */
export function withheldHeaders(headers: readonly SecretHeader[]): HeaderValues {
  return Object.fromEntries(headers.map(({ name }) => [name, withheld]));
}

/** The names of their variables. */
export function variablesOf(headers: readonly SecretHeader[]): Readonly<Record<string, string>> {
  return Object.fromEntries(headers.map(({ name, variable }) => [name, variable]));
}
