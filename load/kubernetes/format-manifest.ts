import { Document } from 'yaml';
import { type ClusterSettings, type Deployable, manifestOf } from './manifest.ts';

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
