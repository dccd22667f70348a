import { Document } from 'yaml';
import type { TraceHeader } from '../../contract/trace-header.ts';
import type { LoadLine } from '../../contract/trace-lines.ts';
import { keyVariable, parametersVariable } from '../k6/parameters.ts';
import { k6Version } from '../runner/find-k6.ts';
import { configMapFiles, consoleArguments, runnerVariable, tracesFolder } from './names.ts';

/** One scenario, ready to be run by pods of a cluster. */
export type Deployable = {
  /** Variables with the values of secret headers, each in a field of the Secret that has its name. */
  readonly secretVariables?: readonly string[];
  /** Name of its objects; also the prefix of its runners' names. */
  readonly name: string;
  readonly scenario: string;
  /** The bundled script. */
  readonly script: string;
  /** The parameters of the script. Kubernetes replaces `$(…)` in `clock` alone. */
  readonly parameters: { readonly clock: string } & Readonly<Record<string, unknown>>;
  /** First line of the trace that the pods write together. */
  readonly header: TraceHeader;
  /** Its line in the trace, if every exchange was collected. */
  readonly load: LoadLine;
};

/** What the manifest has to know about the cluster. */
export type ClusterSettings = {
  /** Left out: the namespace of the person who applies the manifest. */
  readonly namespace?: string | undefined;
  /** Number of pods that share each scenario. */
  readonly parallelism: number;
  readonly image: string;
  /** The Secret that holds the API keys, by its name and field. */
  readonly secret: { readonly name: string; readonly field: string };
  /** A volume claim for the traces of all pods; left out: the traces are in the logs. */
  readonly claim?: string | undefined;
  /** For each pod, as Kubernetes writes quantities. */
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
      // Without YAML references, so that a reader finds each value where it belongs.
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
      // The initializer would hand the variables to a shell unquoted, and without those of a Secret: the script would
      // get no parameters.
      initializer: { disabled: true },
      // Its image names its user by number (Dockerfile.starter of k6-operator v1.5.0).
      starter: unprivileged,
      runner: runnerOf(one, cluster),
    },
  };
  return [configMap, testRun];
}

function scriptFile({ scenario }: Deployable): string {
  return `${scenario}.js`;
}

/** What a pod needs in a namespace that Kubernetes restricts: https://kubernetes.io/docs/concepts/security/pod-security-standards */
const unprivileged = {
  automountServiceAccountToken: 'false',
  securityContext: { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
  containerSecurityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
};

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
      ...(one.secretVariables ?? []).map((variable) => ({
        name: variable,
        valueFrom: { secretKeyRef: { name: secret.name, key: variable } },
      })),
      { name: 'K6_AUTO_EXTENSION_RESOLUTION', value: 'false' },
    ],
    // Requests equal limits: a k6 that gets too little CPU would spread out its bursts.
    resources: { requests: resources, limits: resources },
    ...unprivileged,
    securityContext: {
      ...unprivileged.securityContext,
      runAsUser: k6User,
      runAsGroup: k6User,
      fsGroup: k6User,
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
