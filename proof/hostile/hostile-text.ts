import { clauses } from '../../contract/clauses/registry.ts';
import { counted } from '../command.ts';
import type { FaultRow, HostileRow } from './campaign.ts';
import { networkNames } from './networks.ts';

export type HostileFigures = {
  readonly rows: readonly HostileRow[];
  readonly faults: readonly FaultRow[];
  readonly roundTripMsMax: number;
  readonly seconds: number;
};

/** What went wrong, one line each; none where the proof stands. */
export function problemsOf({ rows, faults }: Pick<HostileFigures, 'rows' | 'faults'>): readonly string[] {
  return [
    ...rows
      .filter(({ wrong }) => wrong.length > 0)
      .map(
        ({ seed, network, service, wrong, traceFile }) =>
          `seed ${seed} (${network}, service ${service}): ${wrong.join(', ')} violated: ${traceFile}`,
      ),
    ...faults
      .filter(({ wrong }) => wrong.length > 0)
      .map(({ fault, wrong, traceFile }) => `${fault}: ${wrong.join(', ')} violated too: ${traceFile}`),
    ...faults
      .filter(({ how }) => how === 'missed')
      .map(
        ({ fault, incomplete, traceFile }) =>
          `${fault}: not caught${incomplete === null ? '' : ` (${incomplete})`}: ${traceFile}`,
      ),
  ];
}

/** The tables of a campaign: what each network left open, and each clause. */
export function hostileText(figures: HostileFigures): string {
  const { rows, faults, roundTripMsMax, seconds } = figures;
  const lines = [
    ...(rows.length === 0 ? [] : [...networkLines(rows), '', ...clauseLines(rows), '']),
    `runs      ${rows.length} against services that conform, ${faults.length} against services with a fault, in ${seconds.toFixed(0)} s`,
    `false     ${rows.filter(({ wrong }) => wrong.length > 0).length} of the runs against services that conform`,
    ...(faults.length === 0
      ? []
      : [
          `caught    ${faults.filter(({ how }) => how !== 'missed').length} of ${counted(faults.length, 'fault')}, at up to ${roundTripMsMax} ms there and back${asShortcomings(faults)}`,
        ]),
    ...problemsOf(figures).map((problem) => `PROBLEM   ${problem}`),
  ];
  return `${lines.join('\n')}\n`;
}

/** Those that no `must` clause shows, which is said of them. */
function asShortcomings(faults: readonly FaultRow[]): string {
  const names = faults.filter(({ how }) => how === 'falls short').map(({ fault }) => fault);
  return names.length === 0 ? '' : `; as shortcomings alone: ${names.join(', ')}`;
}

function networkLines(rows: readonly HostileRow[]): readonly string[] {
  const line = (name: string, of: readonly HostileRow[]): string =>
    [
      name.padEnd(20),
      String(of.length).padStart(5),
      String(of.filter(({ wrong }) => wrong.length > 0).length).padStart(7),
      String(of.filter(({ incomplete }) => incomplete !== null).length).padStart(12),
      shareOpen(of).padStart(14),
    ].join('');
  return [
    `${'network'.padEnd(20)} runs  false  broken off  open clauses`,
    ...networkNames.flatMap((name) => {
      const of = rows.filter(({ network }) => network === name);
      return of.length === 0 ? [] : [line(name, of)];
    }),
    line('all', rows),
  ];
}

/** Of the `must` clauses that were judged, the share that could be judged neither way. */
function shareOpen(rows: readonly HostileRow[]): string {
  const open = rows.reduce((sum, row) => sum + row.open.length, 0);
  const judged = open + rows.reduce((sum, row) => sum + row.held.length + row.wrong.length, 0);
  return judged === 0 ? '–' : `${((100 * open) / judged).toFixed(1)} %`;
}

function clauseLines(rows: readonly HostileRow[]): readonly string[] {
  return [
    `${'clause'.padEnd(30)} judged    open`,
    ...clauses.flatMap(({ id }) => {
      const open = rows.filter((row) => row.open.includes(id)).length;
      const judged = open + rows.filter((row) => [...row.held, ...row.wrong].includes(id)).length;
      if (judged === 0) return [];
      const share = `${((100 * open) / judged).toFixed(0)} %`;
      return [`${id.padEnd(30)}${String(judged).padStart(7)}${share.padStart(8)}`];
    }),
  ];
}
