/** What Go prints while it builds, made into how far it is. */
export type BuildProgress = {
  /** Go begins to list what there is to compile, and downloads it. */
  readonly counting: () => void;
  /** Go begins to compile. */
  readonly compiling: () => void;
  readonly line: (line: string) => void;
  /** The last lines that name neither a module nor a package: errors. */
  readonly lastWords: () => string;
};

export type BuildProgressOptions = {
  /** Of what is built. */
  readonly name: string;
  readonly version: string;
  readonly nowMs: () => number;
  readonly onProgress?: ((text: string) => void) | undefined;
};

/** Reports of one build: so few that a log can hold them. */
const reportsMax = 20;
const modulesBetweenReports = 25;

/** Before this share is compiled, the rest of the time is not known. */
const shareKnown = 0.15;

/** How what is said of a build begins. */
export function whatIsBuilt({ name, version }: Pick<BuildProgressOptions, 'name' | 'version'>): string {
  return `building ${name} v${version}, this once: `;
}

export function buildProgress({ name, version, nowMs, onProgress }: BuildProgressOptions): BuildProgress {
  const startMs = nowMs();
  let phase: 'counting' | 'compiling' = 'counting';
  let downloads = 0;
  let total = 0;
  let compiled = 0;
  let compilingSinceMs = startMs;
  let reported = 0;
  const others: string[] = [];
  const say = (text: string): void => onProgress?.(`${whatIsBuilt({ name, version })}${text}`);
  const sayCompiled = (): void => {
    const soFar = durationText(nowMs() - startMs);
    if (total === 0) {
      say(`${compiled} packages compiled, ${soFar} so far`);
      return;
    }
    const share = compiled / total;
    const leftMs = share < shareKnown ? null : ((nowMs() - compilingSinceMs) / share) * (1 - share);
    const left = leftMs === null ? '' : `, about ${durationText(leftMs)} left`;
    say(
      compiled < total
        ? `${compiled} of ${total} packages compiled, ${soFar} so far${left}`
        : `linking, ${soFar} so far`,
    );
  };
  const heard = (line: string): void => {
    if (line.startsWith('go: downloading ')) {
      downloads += 1;
      if (downloads % modulesBetweenReports === 0) say(`${downloads} modules downloaded`);
    } else if (!/^[\w.~/+-]+$/.test(line)) {
      others.push(line);
      if (others.length > 5) others.shift();
    } else if (phase === 'counting') {
      total += 1;
    } else {
      compiled += 1;
      const step = Math.max(1, Math.ceil((total === 0 ? 2_000 : total) / reportsMax));
      if (compiled - reported < step && compiled !== total) return;
      reported = compiled;
      sayCompiled();
    }
  };
  return {
    counting: () => say('finding out what there is to do'),
    compiling: () => {
      phase = 'compiling';
      // What was wrong with listing is wrong with compiling too, and said again.
      others.length = 0;
      compilingSinceMs = nowMs();
      say(total === 0 ? 'compiling' : `${total} packages to compile`);
    },
    line: heard,
    lastWords: () => others.join(' / ') || 'go gave no reason',
  };
}

/** `50 s`, `2 min 10 s`: in tens of seconds from a minute on, since more would not be true. */
function durationText(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const tens = Math.round(seconds / 10) * 10;
  return tens % 60 === 0 ? `${tens / 60} min` : `${Math.floor(tens / 60)} min ${tens % 60} s`;
}
