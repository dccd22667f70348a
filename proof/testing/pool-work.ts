import process from 'node:process';
import { setTimeout } from 'node:timers/promises';

export type Turn = { readonly value: number };

/** Later ones are played faster, so that they are back first. */
export async function square({ value }: Turn): Promise<number> {
  await setTimeout(Math.max(0, 50 - 10 * value));
  return value ** 2;
}

export function failOnThree({ value }: Turn): number {
  if (value === 3) throw new TypeError('three is too many');
  return value;
}

/** As a judge would that ends the process. */
export function endOnThree({ value }: Turn): number {
  if (value === 3) process.exit(7);
  return value;
}
