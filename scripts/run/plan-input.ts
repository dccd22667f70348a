import type { Settings } from '../settings/settle-settings.ts';
import type { LoadWish } from './load-wish.ts';
import type { RunMode } from './run-mode.ts';
import type { RunPlan, RunPlanInput } from './run-plan.ts';

/** Nodes of the embedded service where a scenario asks what several of them do. */
const embeddedNodes = 3;

/** The settings, with as many nodes of the embedded service as the load needs. */
export function withNodes(spec: { readonly settings: Settings; readonly load: LoadWish }): Settings {
  const { settings, load } = spec;
  const wanted = load.scenarios.some(({ nodesMin }) => nodesMin > 1);
  if (settings.kind !== 'embedded' || !wanted) return settings;
  const baseUrls = Array.from({ length: embeddedNodes }, () => settings.deployment.baseUrls[0] ?? '');
  return { ...settings, deployment: { ...settings.deployment, baseUrls } };
}

export function planInput(
  settings: Settings,
  { mode, load }: { readonly mode: RunMode; readonly load: LoadWish },
): RunPlanInput {
  return {
    deployment: settings.deployment,
    mode,
    wish: load,
    spare: settings.kind === 'embedded' ? 'any' : 'none',
    aliases: aliasesOf(settings),
  };
}

/** What the keys of the settings are called. */
export function aliasesOf({ deployment }: Settings): readonly string[] {
  return ['A', 'B'].slice(0, deployment.keyEnv.length);
}

/** Keys that the load needs beside those of the settings. */
export function loadAliasesOf({ load }: RunPlan, aliases: readonly string[]): readonly string[] {
  const wanted = new Set(load.flatMap((part) => part.aliases));
  return [...wanted].filter((alias) => !aliases.includes(alias));
}
