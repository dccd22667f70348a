import { Document } from 'yaml';
import type { LoadLine, TraceHeader } from '../../contract/trace.ts';
import { keyVariable, parametersVariable } from '../k6/parameters.ts';
import { k6Version } from '../runner/find-k6.ts';
import { configMapFiles, consoleArguments, runnerVariable, tracesFolder } from './names.ts';

/** One scenario as pods of a cluster are to run it. */
export type Deployable = {
  /** Name of its objects; also the prefix of its runners' names. */
  readonly name: string;
  readonly scenario: string;
  /** The bundled script. */
  readonly script: string;
  /** What the script is told, as JSON; `$(…)` in it is replaced by Kubernetes alone in `clock`. */
  readonly parameters: { readonly clock: string } & Readonly<Record<string, unknown>>;
  /** First line of the trace that the pods' exchanges make up together. */
  readonly header: TraceHeader;
  /** What stands in the trace where every exchange was collected. */
  readonly load: LoadLine;
};

/** What of the cluster the manifest has to know. */
export type ClusterSettings = {
  /** Not given: the namespace of whoever applies the manifest. */
  readonly namespace?: string | undefined;
  /** Number of pods that share each scenario. */
  readonly parallelism: number;
  readonly image: string;
  /** The Secret that holds the API keys, by its name and field. */
  readonly secret: { readonly name: string; readonly field: string };
  /** A claim that all pods write their traces to; without one the traces are in their logs. */
  readonly claim?: string | undefined;
  /** Of each pod, as Kubernetes writes quantities. */
  readonly cpu: string;
  readonly memory: string;
};

/** The release that the scenarios are smoke-run against. */
export const runnerImage = `grafana/k6:${k6Version}`;

/** The manifest of some scenarios as YAML, for `kubectl apply -f -`. */
export function formatManifest(deployables: readonly Deployable[], cluster: ClusterSettings): string {
  return deployables
    .flatMap((one) => manifestOf(one, cluster))
    .map((object) => {
      // Without references: a reader should find each value where it belongs.
      const document = new Document(object, { aliasDuplicateObjects: false });
      return `---\n${document.toString({ lineWidth: 0 })}`;
    })
    .join('');
}

/** Objects for the API of Kubernetes: a ConfigMap with the script and a TestRun of k6-operator. */
function manifestOf(one: Deployable, cluster: ClusterSettings): readonly object[] {
  const metadata = {
    name: one.name,
    ...(cluster.namespace !== undefined && { namespace: cluster.namespace }),
    labels: { 'app.kubernetes.io/name': 'messaging-conformance', scenario: one.scenario },
  };
  const configMap = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata,
    immutable: true,
    data: {
      [scriptFile(one)]: one.script,
      [configMapFiles.header]: `${JSON.stringify(one.header)}\n`,
      [configMapFiles.load]: `${JSON.stringify(one.load)}\n`,
    },
  };
  const testRun = {
    apiVersion: 'k6.io/v1alpha1',
    kind: 'TestRun',
    metadata,
    spec: {
      parallelism: cluster.parallelism,
      script: { configMap: { name: one.name, file: scriptFile(one) } },
      arguments: consoleArguments(cluster.claim === undefined ? 'log' : 'volume').join(' '),
      // It would hand the variables to a shell unquoted, and not those of a Secret: the script would find no parameters.
      initializer: { disabled: true },
      runner: runnerOf(one, cluster),
    },
  };
  return [configMap, testRun];
}

function scriptFile({ scenario }: Deployable): string {
  return `${scenario}.js`;
}

/** The user of the k6 image. */
const k6User = 12_345;

function runnerOf(one: Deployable, { image, secret, claim, cpu, memory }: ClusterSettings): object {
  const resources = { cpu, memory };
  const name = 'traces';
  return {
    image,
    env: [
      // Kubernetes names the job of each pod in a label: <name>-1, <name>-2, …
      { name: runnerVariable, valueFrom: { fieldRef: { fieldPath: "metadata.labels['job-name']" } } },
      { name: parametersVariable, value: escaped(one.parameters) },
      { name: keyVariable, valueFrom: { secretKeyRef: { name: secret.name, key: secret.field } } },
      { name: 'K6_AUTO_EXTENSION_RESOLUTION', value: 'false' },
    ],
    // As much as is asked for is there: a k6 that is held back would widen its bursts.
    resources: { requests: resources, limits: resources },
    automountServiceAccountToken: 'false',
    securityContext: {
      runAsNonRoot: true,
      runAsUser: k6User,
      runAsGroup: k6User,
      fsGroup: k6User,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    containerSecurityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
    },
    ...(claim !== undefined && {
      volumes: [{ name, persistentVolumeClaim: { claimName: claim } }],
      volumeMounts: [{ name, mountPath: tracesFolder }],
    }),
  };
}

/** Kubernetes replaces $(NAME) in the value of a variable, and writes $$ as $. */
function escaped({ clock, ...parameters }: Deployable['parameters']): string {
  const text = JSON.stringify({ ...parameters, clock: '' }).replaceAll('$', '$$$$');
  return text.replace(/"clock":""\}$/, () => `"clock":${JSON.stringify(clock)}}`);
}
