import { Command } from 'commander';
import { UsageError } from '../../contract/usage-error.ts';
import { keyVariable } from '../../load/k6/parameters.ts';
import { type Deployable, formatManifest, runnerImage } from '../../load/kubernetes/manifest.ts';
import { deployablesOf } from '../../run/elsewhere/deployable.ts';
import { checkHosts, isLoopback } from '../../run/target/allowed-hosts.ts';
import { loadConfigFile } from '../../run/target/config-file.ts';
import { type Settings, settleSettings, type TargetFlags } from '../../run/target/settle-settings.ts';
import { addChoiceOptions, choicesOf, namedScenarios, type ScenarioFlags } from '../options/load-options.ts';
import { addTargetOptions } from '../options/target-options.ts';
import { millisecondsOf, textLike, wholeNumber } from '../options/values.ts';
import type { CommandIo } from './command-io.ts';

type KubernetesFlags = TargetFlags &
  ScenarioFlags & {
    readonly parallelism: number;
    readonly namespace?: string;
    readonly secret: string;
    readonly secretField: string;
    readonly image: string;
    readonly claim?: string;
    readonly cpu: string;
    readonly memory: string;
    readonly clockOffset: number;
    readonly name: string;
  };

/** A name of an object, as RFC 1123 allows it for a label of a host name. */
const nameOf = textLike(
  /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/,
  'A name in Kubernetes has lower-case letters, digits and inner hyphens, at most 63.',
);

/** Scenario, moment and number of the runner follow it, and the whole must fit into a label. */
const prefixOf = textLike(
  /^[a-z]([-a-z0-9]{0,14}[a-z0-9])?$/,
  'It has lower-case letters, digits and inner hyphens, at most 16, a letter first.',
);

const fieldOf = textLike(
  /^[-._a-zA-Z0-9]{1,253}$/,
  'The field of a Secret has letters, digits, dots, hyphens and underscores.',
);

const quantityOf = textLike(
  /^\d+(\.\d+)?([KMGT]i?|m)?$/,
  'It must be a quantity of Kubernetes, e.g. 500m or 1Gi.',
);

/** `conformance kubernetes`: writes load scenarios as a manifest for k6-operator to standard output; sends nothing. */
export function kubernetesCommand(io: CommandIo): Command {
  const command = new Command('kubernetes')
    .description('write load scenarios as a manifest for k6-operator; sends nothing')
    .argument('<scenarios...>', 'names of scenarios')
    .option('--parallelism <pods>', 'pods that share each scenario', wholeNumber({ min: 1, max: 100 }), 4)
    .option(
      '--namespace <name>',
      'namespace of the objects (default: that of the user who applies them)',
      nameOf,
    )
    .option('--secret <name>', 'Secret that holds the API keys', nameOf, 'conformance-keys')
    .option('--secret-field <name>', 'field of the Secret that holds the keys', fieldOf, 'keys')
    .option('--image <image>', 'image of the runners, with k6 v2 as "k6"', runnerImage)
    .option('--claim <name>', 'volume claim for the traces (default: the logs of the pods hold them)', nameOf)
    .option('--cpu <quantity>', 'CPU of each pod', quantityOf, '1')
    .option('--memory <quantity>', 'memory of each pod', quantityOf, '1Gi')
    .option('--clock-offset <ms>', 'largest difference between the clocks of two pods', millisecondsOf, 500)
    .option('--name <prefix>', 'prefix of the names of the objects', prefixOf, 'conformance');
  addChoiceOptions(addTargetOptions(command));
  command.options.find(({ long }) => long === '--key-env')?.hideHelp();
  return command.action(async (names: readonly string[], flags: KubernetesFlags) => {
    if (command.getOptionValueSource('keyEnv') === 'cli') {
      throw new UsageError(
        '--key-env is for keys on this machine; the keys of the pods are in a Secret: --secret NAME.',
      );
    }
    const scenarios = namedScenarios(names);
    const { deployment, secretHeaders } = await settingsOf(flags, io.cwd);
    const deployables = await deployablesOf({
      scenarios,
      choices: choicesOf(flags, scenarios),
      deployment,
      secretHeaders,
      parallelism: flags.parallelism,
      clockOffsetMs: flags.clockOffset,
      prefix: flags.name,
      nowMs: Date.now(),
    });
    const { secret: name, secretField: field, ...cluster } = flags;
    io.stdout.write(formatManifest(deployables, { ...cluster, secret: { name, field } }));
    io.stderr.write(announcement(deployables, flags));
    io.exit(0);
  });
}

/** The deployment as pods see it: their keys come in another variable. */
async function settingsOf(flags: KubernetesFlags, cwd: string): Promise<Settings> {
  if (flags.url === undefined && (await loadConfigFile({ named: flags.config, cwd })) === null) {
    throw new UsageError(
      'Name the service that the pods are to reach: --url http://service.namespace.svc:8080.',
    );
  }
  const settings = await settleSettings({ ...flags, keyEnv: [keyVariable] }, cwd);
  const { deployment } = settings;
  const own = deployment.baseUrls.find((url) => isLoopback(new URL(url).hostname));
  if (own !== undefined) {
    throw new UsageError(
      `In a pod, ${own} is that pod itself: give the address by which pods reach the service.`,
    );
  }
  checkHosts(
    deployment.baseUrls,
    flags.allowHost ?? [],
    'hundreds of requests at once',
    deployment.transport?.resolve,
  );
  return settings;
}

function announcement(
  deployables: readonly Deployable[],
  { parallelism, secret, claim }: KubernetesFlags,
): string {
  const pods = parallelism === 1 ? 'one pod' : `${parallelism} pods`;
  const where = claim === undefined ? 'in the logs of the pods' : `on the claim ${claim}`;
  return [
    ...deployables.map(
      ({ name, load }) =>
        `${name}: ${load.requestsSent} requests from ${pods}, with the keys in the Secret ${secret}`,
    ),
    ...(deployables.length === 1
      ? []
      : ['They use the same keys: apply one scenario at a time (-l scenario=NAME), a window apart.']),
    `The trace is ${where}; docs/kubernetes.md says how to collect and judge it.\n`,
  ].join('\n');
}
