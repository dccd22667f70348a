import { delimiter } from 'node:path';
import type { StreamLane, WaveLane } from '../plan/lane.ts';
import type { K6Extras } from './k6-command.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * What k6 needs of our environment. Not its own `K6_…` settings, which would change a scenario; no proxies, which
 * would send it another way than the checks; not the other keys that may stand there.
 */
const forK6 = /^(PATH|TMPDIR|TEMP|TMP|SYSTEMROOT|SSL_CERT_FILE|SSL_CERT_DIR)$/i;

/** What `go build` needs: its own settings, its caches, and the way to its module proxy. */
const forGo =
  /^(GO[A-Z0-9]*|CGO_[A-Z]+|PATH|HOME|USERPROFILE|LOCALAPPDATA|APPDATA|XDG_[A-Z_]+|TMPDIR|TEMP|TMP|SYSTEMROOT|SSL_CERT_FILE|SSL_CERT_DIR|HTTPS?_PROXY|NO_PROXY|NETRC)$/i;

/** The settings of k6's outputs: they change nothing of a scenario, and hold the address and the credentials of a store. */
const forOutputs =
  /^(K6_PROMETHEUS_RW_[A-Z0-9_]+|K6_OTEL_[A-Z0-9_]+|OTEL_[A-Z0-9_]+|K6_INFLUXDB_[A-Z0-9_]+|K6_STATSD_[A-Z0-9_]+|K6_CSV_[A-Z0-9_]+)$/;

export function environmentForK6(env: Environment, { outs, dashboard }: K6Extras): Record<string, string> {
  return {
    ...picked(env, forK6),
    ...(outs.length === 0 ? {} : picked(env, forOutputs)),
    ...(dashboard === 'shown' ? dashboardSettings : {}),
    K6_AUTO_EXTENSION_RESOLUTION: 'false',
    NO_COLOR: '1',
  };
}

/** What of a lane tells how many clients play it. */
type Clients = Pick<StreamLane, 'kind'> | Pick<WaveLane, 'kind' | 'vus'>;

/**
 * How far Go lets k6's heap grow before it collects, in percent of what is in use. Much for streams, which at thousands
 * of requests a second spend a fifth of their time on collecting with Go's own 100, and whose heap is small at the rates
 * of documented limits; less for hundreds of clients, each with a program of its own. A burst is wider from 20 down.
 */
export function heapGrowthOf(lanes: readonly Clients[]): Readonly<Record<'GOGC', string>> {
  if (lanes.every(({ kind }) => kind === 'stream')) return { GOGC: '400' };
  return { GOGC: lanes.some((lane) => lane.kind === 'waves' && lane.vus > 1) ? '30' : '100' };
}

/** On this machine alone, on a free port. */
const dashboardSettings = {
  K6_WEB_DASHBOARD: 'true',
  K6_WEB_DASHBOARD_HOST: '127.0.0.1',
  K6_WEB_DASHBOARD_PORT: '0',
  K6_WEB_DASHBOARD_PERIOD: '1s',
};

export function environmentForGo(env: Environment): Record<string, string> {
  return { ...picked(env, forGo), CGO_ENABLED: '0', GOFLAGS: '-mod=readonly', GOWORK: 'off' };
}

/** Folders in which a program is looked for, in order; relative ones are left out. */
export function searchPath(env: Environment): readonly string[] {
  return (env['PATH'] ?? '')
    .split(delimiter)
    .filter((folder) => folder.startsWith('/') || /^[A-Za-z]:/.test(folder));
}

function picked(env: Environment, names: RegExp): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && names.test(entry[0]),
    ),
  );
}
