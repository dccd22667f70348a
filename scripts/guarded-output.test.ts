import { expect, onTestFinished, test, vi } from 'vitest';
import { guardOutput } from './guarded-output.ts';

function guarded() {
  const said: string[] = [];
  const output = {
    write: (text: string | Uint8Array): boolean => {
      said.push(String(text));
      return true;
    },
  };
  const session = { hidden: [] as { alias: string; secret: string }[] };
  guardOutput(output, session);
  return { output, session, said: () => said.join('') };
}

test('what a session hides is masked, whatever was written before it was known', () => {
  const { output, session, said } = guarded();
  output.write('canary-of-a-test\n');
  session.hidden = [{ alias: 'A', secret: 'canary-of-a-test' }];
  output.write('{"echo":"canary-');
  output.write('of-a-test"}\n');
  output.write(`${btoa('Bearer canary-of-a-test')}\n`);
  expect(said()).toBe('canary-of-a-test\n{"echo":"[key A]"}\nQmVhcmVyI[key A]=\n');
});

test('what is short or a number may stand anywhere, and stays', () => {
  const { output, session, said } = guarded();
  session.hidden = [
    { alias: 'A', secret: '1' },
    { alias: 'B', secret: '1760000000' },
  ];
  output.write('{"at":1760000000}\n');
  expect(said()).toBe('{"at":1760000000}\n');
});

test('a line that people wait at ends where it should, though a key might begin there', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const { output, session, said } = guarded();
  session.hidden = [{ alias: 'A', secret: 'canary-of-a-test' }];
  output.write('[y/n] c');
  expect(said()).toBe('[y/n] ');
  vi.runAllTimers();
  expect(said()).toBe('[y/n] c');
  output.write('anary-of-a-');
  vi.runAllTimers();
  output.write('test, can');
  vi.runAllTimers();
  output.write('not\n');
  // One character of the key was seen before it was known that it is one.
  expect(said()).toBe('[y/n] c[key A], cannot\n');
});
