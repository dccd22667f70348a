import fc from 'fast-check';
import { expect, it } from 'vitest';
import { outcomes } from '../../contract/outcome.ts';
import { columnsOf, fromColumns } from './group-columns.ts';

const group = { scope: 'messages', key: 'B', limit: 300, windowMs: 60_000 } as const;
const moment = fc.double({ noNaN: true, noDefaultInfinity: true });

it('columns hold all that is asked of a group, in memory that threads share', () => {
  const observed = fc.record({
    sentMs: moment,
    receivedMs: fc.option(moment),
    outcome: fc.constantFrom(...outcomes),
  });
  fc.assert(
    fc.property(fc.array(observed), (exchanges) => {
      const columns = columnsOf({ ...group, exchanges });
      expect(fromColumns(columns)).toEqual({ ...group, exchanges });
      const { sentMs, receivedMs, outcome } = columns;
      expect([sentMs, receivedMs, outcome].map(({ buffer }) => buffer.byteLength)).toEqual(
        [8, 8, 1].map((bytes) => bytes * exchanges.length),
      );
      for (const { buffer } of [sentMs, receivedMs, outcome])
        expect(buffer).toBeInstanceOf(SharedArrayBuffer);
    }),
  );
});
