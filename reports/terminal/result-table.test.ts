import { expect, it } from 'vitest';
import { layoutOf } from './layout.ts';
import { resultTable } from './result-table.ts';

const ids = ['a.b', 'refusal.stated-wait-suffices', `limits.${'s'.repeat(38)}.${'n'.repeat(20)}`] as const;

it.each([80, 100, 160])(
  'shows ids whole in %i columns, however long they are, with title and evidence',
  (columns) => {
    const rows = ids.map((id) => ({
      id,
      level: 'must' as const,
      verdict: { kind: 'held', summary: 'thirty' } as const,
      word: 'held',
      title: 'thirty a minute',
      evidence: 'thirty',
    }));
    const text = resultTable([{ title: 'Limits', rows }], layoutOf({ columns, colour: 'never' }));
    for (const id of ids) expect(text.filter((line) => line.split(/\s+/)[1] === id)).toHaveLength(1);
    expect(text.join('\n').match(/thirty a minute/g)).toHaveLength(ids.length);
    expect(text.join('\n').match(/thirty$/gm)).toHaveLength(ids.length);
    expect(Math.max(...text.map((line) => line.length))).toBeLessThanOrEqual(columns);
  },
);
