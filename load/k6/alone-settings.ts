import type { RequestTemplate } from '../../contract/request-template.ts';
import { secretPlacesIn } from '../../contract/secret/secret-names.ts';
import { settingRanges } from '../plan/scenario.ts';
import { requestsFrom } from './alone-requests.ts';

/** What a person says to a script that runs alone, by variables. */
export type AloneSettings = {
  readonly baseUrls: readonly string[];
  readonly requests: Readonly<Record<string, RequestTemplate>>;
  readonly windowSeconds: number;
  readonly windows: number;
  readonly vus: number;
  /** Secret headers of all requests, with the names of the variables that hold them. */
  readonly headerVariables: Readonly<Record<string, string>>;
};

export type AloneEnvironment = Readonly<Record<string, string | undefined>>;

/**
 * The settings from the variables of k6.
 * @param readFile gives the text of a file.
 * @throws with the variable, what is wrong with it, and an example.
 */
export function aloneSettings(env: AloneEnvironment, readFile: (path: string) => string): AloneSettings {
  const requests = requestsFrom(env['REQUESTS'], readFile);
  const [secret] = secretPlacesIn({ requests, otherMethods: {} });
  if (secret !== undefined)
    throw new Error(
      `REQUESTS holds a secret (${secret.place}): name its variable by HEADER_ENV, e.g. HEADER_ENV=X-Api-Key=GATE_KEY`,
    );
  const wholeIn = (name: string, [min, max]: readonly [number, number], usual: number): number => {
    const value = Number(env[name] ?? usual);
    if (Number.isInteger(value) && value >= min && value <= max) return value;
    throw new Error(`${name} is "${env[name]}": it has to be a whole number from ${min} to ${max}`);
  };
  return {
    baseUrls: baseUrlsFrom(env['BASE_URL']),
    requests,
    windowSeconds: wholeIn('WINDOW_SECONDS', [1, 3_600], 60),
    windows: wholeIn('WINDOWS', settingRanges.windows, 2),
    vus: wholeIn('VUS', settingRanges.vus, 1),
    headerVariables: headersFrom(env['HEADER_ENV']),
  };
}

function baseUrlsFrom(text = ''): readonly string[] {
  const urls = text.split(',').filter((url) => url !== '');
  if (urls.length === 0)
    throw new Error('BASE_URL is not set: the address of the service, e.g. BASE_URL=http://127.0.0.1:8080');
  const bad = urls.find((url) => !/^https?:\/\/[^\s?#@/]+(\/[^\s?#@]*)?$/.test(url));
  if (bad !== undefined)
    throw new Error(
      'BASE_URL has to be an http:// or https:// address without user name, query or fragment; several have commas between them',
    );
  return urls;
}

/** `X-Api-Key=GATE_KEY`, several with commas between them. */
function headersFrom(text = ''): Readonly<Record<string, string>> {
  const pairs = text.split(',').filter((pair) => pair !== '');
  return Object.fromEntries(
    pairs.map((pair) => {
      const [, name, variable] = /^([\w-]+)=(\w+)$/.exec(pair) ?? [];
      if (name === undefined || variable === undefined)
        throw new Error(
          'HEADER_ENV has to name a header and its variable, e.g. HEADER_ENV=X-Api-Key=GATE_KEY',
        );
      return [name, variable];
    }),
  );
}
