import { readFileSync } from 'node:fs';

const pollMs = 200;

/** The size in which `/proc` counts memory. 4 KiB on x86-64; where pages are larger, the bound is met sooner. */
const pageBytes = 4_096;

/** Calls `onExcess` while a process holds more than `bytesMax` of memory. On Linux only: elsewhere nothing is watched. */
export function watchMemory(
  pid: number | undefined,
  bytesMax: number | undefined,
  onExcess: () => void,
): NodeJS.Timeout | undefined {
  if (pid === undefined || bytesMax === undefined) return undefined;
  return setInterval(() => {
    if (residentBytes(pid) > bytesMax) onExcess();
  }, pollMs);
}

/** Resident memory of a process; 0 where it cannot be told. */
function residentBytes(pid: number): number {
  try {
    const [, residentPages] = readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ');
    return Number(residentPages) * pageBytes;
  } catch {
    return 0;
  }
}
