import { type Deployment, type DeploymentInput, deploymentSchema } from '../../contract/deployment.ts';
import { secretPlacesIn } from '../../contract/secret/secret-names.ts';
import { UsageError } from '../../contract/usage-error.ts';
import { referenceRequests } from '../../service/reference-requests.ts';
import { shownPath } from '../shown-path.ts';
import { breakerInput } from './breaker-input.ts';
import { type ConfigFile, loadConfigFile } from './config-file.ts';
import { explainIssues } from './explain-issues.ts';
import { type SecretHeader, secretHeadersOf, withHeaders, withheldHeaders } from './secret-headers.ts';
import { refuseSecrets } from './secret-settings.ts';
import { firstTransportFlag, type TransportFlags, transportInput } from './transport/transport-flags.ts';

/** Where a run goes, as flags and environment say it. The names of the fields are commander's. */
export type TargetFlags = TransportFlags & {
  readonly config?: string;
  readonly url?: readonly string[];
  readonly keyEnv?: readonly string[];
  readonly headerEnv?: readonly string[];
  readonly profile?: 'reference';
  readonly allowHost?: readonly string[];
  readonly window?: number;
  readonly timeout?: number;
  /** How long to wait until the target answers, seconds. */
  readonly wait?: number;
  readonly maxRequests?: number;
  /** Failures in a row; 0: never. */
  readonly stopAfter?: number;
};

/** Whose promises are to be checked: the service that this program starts itself, or somebody's deployment. */
export type Settings = {
  readonly kind: 'embedded' | 'deployment';
  /** Of the embedded service, the base URL is not known before it runs. */
  readonly deployment: Deployment;
  /** Headers of all requests, whose values the environment holds. In `deployment` they are withheld. */
  readonly secretHeaders: readonly SecretHeader[];
  /** How long to wait until the target answers, seconds; 0 is not at all. */
  readonly waitSeconds: number;
  /** Where these settings come from, in a few words for the first line of a run. */
  readonly origin: string;
};

/** Names that stand for the embedded service's keys: nothing is ever read from the environment under them. */
const embeddedKeyEnv = ['EMBEDDED_KEY_A', 'EMBEDDED_KEY_B'];

/**
 * Settings from flags and environment over the settings file over the defaults. With neither a URL nor a file there
 * is nothing to connect to, and the embedded service stands in.
 * @throws {UsageError} naming each field that is wrong, and its fix.
 */
export async function settleSettings(flags: TargetFlags, cwd: string): Promise<Settings> {
  const file = await loadConfigFile({ named: flags.config, cwd });
  if (file === null && flags.url === undefined) return embeddedSettings(flags);
  const base = baseInput(flags, file);
  const transport = transportInput(flags, base['transport']);
  const input = { ...base, ...overrides(flags, file), ...(transport === undefined ? {} : { transport }) };
  const secretHeaders = secretHeadersOf(flags.headerEnv);
  const ours = secretHeaders.find(({ name }) => /^authorization$/i.test(name));
  if (ours !== undefined) {
    throw new UsageError(
      `--header-env ${ours.name}: requests carry the API keys there; name them with --key-env.`,
    );
  }
  const known = withKnownRequest(parsed(input, file));
  const deployment = withHeaders(known, withheldHeaders(secretHeaders));
  const from = file === null ? 'flags and environment' : shownPath(file.path, cwd);
  const { wait: waitSeconds = 0 } = flags;
  const origin = `settings from ${from}`;
  return { kind: 'deployment', deployment, secretHeaders, waitSeconds, origin };
}

function embeddedSettings(flags: TargetFlags): Settings {
  const flag = flagForDeployment(flags);
  if (flag !== null) {
    throw new UsageError(
      `${flag} is for a deployment of yours, but none was named: give its address with --url.`,
    );
  }
  const input: DeploymentInput = {
    name: 'the embedded reference service',
    baseUrls: ['http://127.0.0.1'],
    keyEnv: embeddedKeyEnv,
    requests: referenceRequests,
  };
  const deployment = parsed({ ...input, ...overrides(flags, null) }, null);
  return {
    kind: 'embedded',
    deployment,
    secretHeaders: [],
    waitSeconds: 0,
    origin: 'no settings were given',
  };
}

/** A flag that means nothing to the embedded service; `null` where none was given. */
function flagForDeployment(flags: TargetFlags): string | null {
  if (flags.keyEnv !== undefined) return '--key-env';
  if (flags.headerEnv !== undefined) return '--header-env';
  if (flags.profile !== undefined) return '--profile';
  if (flags.wait !== undefined) return '--wait';
  return firstTransportFlag(flags);
}

function baseInput(flags: TargetFlags, file: ConfigFile | null): Readonly<Record<string, unknown>> {
  return flags.profile === 'reference' ? { ...file?.input, requests: referenceRequests } : { ...file?.input };
}

function overrides(flags: TargetFlags, file: ConfigFile | null): Readonly<Record<string, unknown>> {
  const { stopAfter } = flags;
  const breaker = file?.input['breaker'];
  const given = {
    baseUrls: flags.url,
    keyEnv: flags.keyEnv,
    windowSeconds: flags.window,
    requestTimeoutSeconds: flags.timeout,
    maxRequests: flags.maxRequests,
    // What else the file says of the breaker stays, and is checked with the rest.
    breaker:
      stopAfter === undefined
        ? undefined
        : { ...(typeof breaker === 'object' ? breaker : {}), ...breakerInput(stopAfter) },
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

function parsed(input: Readonly<Record<string, unknown>>, file: ConfigFile | null): Deployment {
  const result = deploymentSchema.safeParse(input);
  if (result.success) {
    refuseSecrets(secretPlacesIn(result.data), file?.path ?? 'flags');
    return result.data;
  }
  const where = file === null ? '' : ` (${file.path})`;
  throw new UsageError(`The settings cannot be used${where}:\n${explainIssues(result.error)}`);
}

/** `GET /v1/status` is shown whole in the document and changes nothing; the other scopes' requests are not shown. */
function withKnownRequest(deployment: Deployment): Deployment {
  if (deployment.requests.standard !== undefined) return deployment;
  const standard = { ...referenceRequests.standard, headers: {} };
  return { ...deployment, requests: { ...deployment.requests, standard } };
}
