import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';

/** Uniform in [0, 1). */
export type Random = () => number;

/** The generator's state is mostly ones at first, whatever the seed: it takes some steps to spread. */
const firstSteps = 16;

/** A stream of random numbers that depends on its seed alone. */
export function seeded(seed: number): Random {
  const generator = xoroshiro128plus(seed);
  for (let step = 0; step < firstSteps; step += 1) generator.next();
  return () => uniformFloat64(generator);
}
