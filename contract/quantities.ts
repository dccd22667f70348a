/** `60.002 s` */
export function seconds(ms: number, digits = 3): string {
  return `${(ms / 1_000).toFixed(digits)} s`;
}

/** `30 h`, `1.67 h`: three figures, for a time that nobody waits for. */
export function hours(ms: number): string {
  return `${grouped(Number((ms / 3_600_000).toPrecision(3)))} h`;
}

/** `3.4 ms`, and without decimals from 10 ms on, where they would only be noise: `1,204 ms`. */
export function milliseconds(ms: number): string {
  return ms < 10 ? `${ms.toFixed(1)} ms` : `${grouped(Math.round(ms))} ms`;
}

/** A number with a comma after each three digits: `13,521`. */
export function grouped(value: number): string {
  // The first number that Node itself writes in a language costs it 25 ms: it loads what it knows of all of them.
  if (Number.isSafeInteger(value)) return `${value}`.replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
  return value.toLocaleString('en');
}

/** So many of something, in a sentence: `1 request`, `41 requests`. */
export function howMany(count: number, noun: string): string {
  return `${grouped(count)} ${count === 1 ? noun : pluralOf(noun)}`;
}

/** The same as the subject of a sentence: `1 request is`, `41 requests are`. */
export function howManyAre(count: number, noun: string): string {
  return `${howMany(count, noun)} ${count === 1 ? 'is' : 'are'}`;
}

/** `requests` of "request", `deliveries` of "delivery". */
function pluralOf(noun: string): string {
  return /[^aeiou]y$/.test(noun) ? `${noun.slice(0, -1)}ies` : `${noun}s`;
}
