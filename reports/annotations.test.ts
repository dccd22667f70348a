import { describe, expect, it } from 'vitest';
import { renderAnnotations } from './annotations.ts';
import { hostile, quoted, reportOf, violatedWith } from './testing/fixtures.ts';

const violated = violatedWith([quoted()]);
const linesOf = (...of: Parameters<typeof reportOf>): readonly string[] =>
  renderAnnotations(reportOf(...of))
    .trimEnd()
    .split('\n');

describe('renderAnnotations', () => {
  it('says the verdict, and each violation by its failure', () => {
    const lines = linesOf({ 'limits.media': violated });
    expect(lines[0]).toMatch(
      /^::notice title=Rate limits%3A Not conformant::\d+ of \d+ clauses held, 1 violated/,
    );
    expect(lines[1]).toMatch(
      /^::error title=More requests pass than the limit allows::limits\.media: .+ The limit does not protect/,
    );
  });

  it('says nothing of what holds', () => {
    expect(linesOf().filter((line) => !line.startsWith('::notice '))).toEqual([]);
  });

  it('shows no more than GitHub does, and names the rest', () => {
    const ids = reportOf()
      .clauses.filter(({ level }) => level === 'must')
      .map(({ id }) => id);
    const errors = linesOf(Object.fromEntries(ids.map((id) => [id, violated]))).filter((line) =>
      line.startsWith('::error '),
    );
    expect(errors).toHaveLength(9);
    for (const id of ids) expect(errors.join('\n')).toContain(id);
    expect(errors.at(-1)).toContain(`title=${ids.length - 8} more::`);
  });

  it('lets the service give no command', () => {
    const text = '\n::stop-commands::x\r\n%0A::error::y';
    const lines = linesOf({ 'limits.media': violatedWith([quoted()], { observed: `${text}${hostile}` }) });
    expect(lines.filter((line) => !/^::(error|notice|warning) title=[^:,]+::/.test(line))).toEqual([]);
    expect(lines.join('\n')).not.toContain('%0A');
  });
});
