import { type Random, seeded } from '../../run/seeded.ts';

/** What Toxiproxy does to connections; names and units are its own (README of Toxiproxy 2, "Toxics"). */
export type Toxic = {
  readonly type: 'latency' | 'bandwidth' | 'slicer' | 'reset_peer' | 'timeout' | 'limit_data';
  /** `upstream` is from the client to the service. */
  readonly stream: 'upstream' | 'downstream';
  /** Share of the connections that it befalls. */
  readonly toxicity: number;
  readonly attributes: Readonly<Record<string, number>>;
};

/** A while in which nothing gets through. */
export type Partition = {
  /** `silent`: what is sent is lost; `refused`: connections break, and none can be opened. */
  readonly kind: 'silent' | 'refused';
  /** Its begin after that of the windows, ms. */
  readonly atMs: number;
  readonly forMs: number;
};

/** What lies between the suite and a service. */
export type Network = {
  readonly name: NetworkName;
  readonly toxics: readonly Toxic[];
  readonly partition: Partition | null;
  readonly windowSeconds: number;
};

export const networkNames = [
  'latency',
  'bandwidth',
  'slicer',
  'reset',
  'half-open',
  'cut after the head',
  'partition',
  'several at once',
] as const;

export type NetworkName = (typeof networkNames)[number];

/**
 * The network of a run: the kinds in turn, their figures drawn from the seed.
 * @param windowSeconds A window of this length; `short`: one as a test has time for, drawn too.
 */
export function networkOf(seed: number, windowSeconds: number | 'short'): Network {
  const random = drawsOf(seed);
  const name = networkNames[seed % networkNames.length] ?? 'latency';
  const windowOf = (least: number, most: number): number =>
    windowSeconds === 'short' ? Math.round(between(random, least, most)) : windowSeconds;
  if (name === 'partition') return partitioned(random, windowOf(8, 12));
  const toxics =
    name === 'several at once'
      ? severalAtOnce.filter(() => random() < 0.4).flatMap((draw) => draw(random))
      : drawn[name](random);
  return { name, toxics, partition: null, windowSeconds: windowOf(4, 10) };
}

/** What is drawn for a run. Seeds that follow one another begin alike in this generator: so they are spread first. */
export function drawsOf(seed: number): Random {
  const random = seeded(Math.imul(seed + 1, 0x9e3779b1));
  for (let draw = 0; draw < 8; draw += 1) random();
  return random;
}

/** A network that adds at most so many ms there and back, and nothing else. */
export function slowNetwork(roundTripMsMax: number): Pick<Network, 'toxics'> {
  const middleMs = Math.floor(roundTripMsMax / 4);
  return { toxics: bothWays('latency', { latency: middleMs, jitter: middleMs }) };
}

type Draw = (random: Random) => readonly Toxic[];

const drawn: Readonly<Record<Exclude<NetworkName, 'partition' | 'several at once'>, Draw>> = {
  // To 2 s there and back, the short ones oftener; jitter up to the latency itself.
  latency: (random) => {
    const latency = Math.round(500 * random() ** 2) + 1;
    return bothWays('latency', { latency, jitter: Math.round(latency * random()) });
  },
  // KB a second: a head is about 0.3 KB.
  bandwidth: (random) => bothWays('bandwidth', { rate: Math.round(between(random, 1, 30)) }),
  // Bytes, and µs between two slices.
  slicer: (random) => {
    const size = Math.round(between(random, 10, 200));
    const delay = Math.round(20_000 * random() ** 2);
    return bothWays('slicer', { average_size: size, size_variation: Math.floor(size / 2), delay });
  },
  reset: (random) => [
    onSome(random, 'reset_peer', { timeout: Math.round(1_000 * random() ** 2) }),
    onSome(random, 'reset_peer', { timeout: Math.round(5_000 * random()) }),
  ],
  // Without an end: data is lost, and the connection stays open.
  'half-open': (random) => [onSome(random, 'timeout', { timeout: 0 })],
  // An answer of a 429 has a head of about 350 bytes, and a body of about 150.
  'cut after the head': (random) => [
    onSome(random, 'limit_data', { bytes: Math.round(between(random, 250, 600)) }),
    onSome(random, 'limit_data', { bytes: Math.round(between(random, 100, 20_000)) }),
  ],
};

const severalAtOnce: readonly Draw[] = Object.values(drawn);

/** Five seconds in the middle of a window, the more often the longer before its end. */
function partitioned(random: Random, windowSeconds: number): Network {
  return {
    name: 'partition',
    toxics: slowNetwork(40 * random()).toxics,
    partition: {
      kind: random() < 0.5 ? 'silent' : 'refused',
      atMs: between(random, 0.1, 0.6) * windowSeconds * 1_000,
      forMs: 5_000,
    },
    windowSeconds,
  };
}

function bothWays(type: Toxic['type'], attributes: Toxic['attributes']): readonly Toxic[] {
  return (['upstream', 'downstream'] as const).map((stream) => ({ type, stream, toxicity: 1, attributes }));
}

/** On up to a quarter of the connections, on the way back: what was sent has been counted. */
function onSome(random: Random, type: Toxic['type'], attributes: Toxic['attributes']): Toxic {
  return { type, stream: 'downstream', toxicity: between(random, 0.02, 0.25), attributes };
}

function between(random: Random, low: number, high: number): number {
  return low + random() * (high - low);
}
