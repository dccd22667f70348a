import { describe, expect, it } from 'vitest';
import { proof } from './proof.ts';

type Ended = { readonly code: number; readonly stdout: string; readonly stderr: string };

async function ran(line: readonly string[]): Promise<Ended> {
  const said = { stdout: '', stderr: '' };
  const stream = (name: keyof typeof said) => ({
    write: (text: string) => {
      said[name] += text;
    },
  });
  const code = await proof(line, { stdout: stream('stdout'), stderr: stream('stderr') });
  return { code, ...said };
}

describe('the command line of the proofs', () => {
  it.each(['faults', 'soundness', 'confusion', 'hostile', 'stability'])('explains %s', async (command) => {
    const { code, stdout, stderr } = await ran([command, '--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`Usage: proof ${command} [options]`);
    expect(stdout).toContain('Exit status: 0 proved');
  });

  const unusable: readonly (readonly [args: readonly string[], says: string])[] = [
    [['faults', '--seeds', '0'], 'It must be a whole number from 1 to 1000000.'],
    [['faults', '--seeds', 'many'], 'It must be a whole number from 1 to 1000000.'],
    [['faults', '--first-seed', '-1'], 'It must be a whole number of 0 or more.'],
    [['faults', '--sed', '1'], 'Did you mean --seeds?'],
    [['faults', 'all'], 'too many arguments'],
    [['soundness', '--runs', '1.5'], 'It must be a whole number of 1 or more.'],
    [['soundness', '--seed', ''], 'It must be a whole number of 0 or more.'],
    [['soundness', '--table', 'caught.json'], '--table goes with --foreign <n>'],
    [['soundness', '--foreign', '2', '--runs', '5'], "cannot be used with option '--runs <n>'"],
    [['soundness', '--documents', '2', '--runs', '5'], "cannot be used with option '--runs <n>'"],
    [['confusion', '--runs', '1000001'], 'It must be a whole number from 1 to 1000000.'],
    [['confusion', '--window', '301'], 'It must be a number from 0 to 300.'],
    [['confusion', '--expected', 'soon'], 'It must be a number from 0 to 300.'],
    [['confusion', '--jitter', '-1'], 'It must be a number from 0 to 1000.'],
    [['confusion', '--windows', '3'], 'Allowed choices are auto, 1, 2.'],
    [['confusion', '--only', 'nothing'], 'It must be a part of one of these names: sliding-log; '],
    [['hostile', '--runs', '-1'], 'It must be a whole number from 0 to 100000.'],
    [['hostile', '--round-trip', '10001'], 'It must be a number from 0 to 10000.'],
    [['stability', '--runs', '1'], 'It must be a whole number from 2 to 100000.'],
    [['nothing'], "unknown command 'nothing'"],
    [[], 'Usage: proof'],
  ];

  it.each(unusable)('says what is wrong with %j, and plays nothing', async (args, says) => {
    const { code, stdout, stderr } = await ran(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(says);
  });

  it('plays the gate of the faults', async () => {
    // The seed after those of gate.test.ts.
    const { code, stdout } = await ran(['faults', '--seeds', '1', '--first-seed', '8', '--json']);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ firstSeed: 8, seeds: 1, caught: 1, workers: 1, problems: [] });
  });

  it('plays conforming services in hostile worlds', async () => {
    const { code, stdout } = await ran(['soundness', '--runs', '20', '--seed', '5']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^runs {14}20 \(seed 5\), .*\nfalse verdicts {4}0\ninconclusive/);
    expect(stdout).toMatch(/runs a second on 1 core$/m);
  });

  it('judges services that keep drawn documents', async () => {
    const { code, stdout } = await ran(['soundness', '--documents', '3', '--seed', '5']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^documents {9}3 \(seed 5\), .*\ntraces {12}18: .*\nfalse verdicts {4}0\nheld/);
  });

  it('names limiters', async () => {
    const { code, stdout } = await ran(['confusion', '--runs', '1e0', '--only', 'minimum', '--json']);
    expect(code).toBe(0);
    const { conditions, rows } = JSON.parse(stdout);
    expect(conditions).toEqual({ windowMs: 60_000, expectedWindowMs: 60_000, windows: 'auto', jitterMs: 50 });
    expect(rows).toMatchObject(
      [30, 120, 300].map((limit) => ({ name: 'minimum-gap', limit, runs: 1, alone: 1 })),
    );
  });

  it('exits by what is not proved', async () => {
    const { code, stdout } = await ran([
      'confusion',
      '--runs',
      '1',
      '--only',
      'block-on-reject',
      '--jitter',
      '1000',
    ]);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^MISSED block-on-reject, 300: not named in 1 of 1 runs$/m);
  });
});
