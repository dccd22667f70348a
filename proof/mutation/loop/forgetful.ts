const Native = globalThis.WeakMap;

const forgetting = new Set<() => void>();

/** Where the code that is changed keeps what it worked out before. */
const inChangedCode = /[/\\](judge|contract)[/\\]/;

/**
 * Tests that are played again have to work everything out anew: what was remembered without a change would hide it, and what
 * was remembered with one would outlast it.
 */
export function makeMemoriesForgetful(): void {
  globalThis.WeakMap = new Proxy(Native, {
    construct: (target, args: ConstructorParameters<typeof Native>) =>
      inChangedCode.test(new Error('where it is made').stack ?? '') ? forgetful() : new target(...args),
  });
}

export function forgetAll(): void {
  for (const forget of forgetting) forget();
}

function forgetful(): WeakMap<WeakKey, unknown> {
  let kept = new Native<WeakKey, unknown>();
  forgetting.add(() => {
    kept = new Native();
  });
  const outer = new Native<WeakKey, unknown>();
  outer.get = (key) => kept.get(key);
  outer.has = (key) => kept.has(key);
  outer.delete = (key) => kept.delete(key);
  outer.set = (key, value) => {
    kept.set(key, value);
    return outer;
  };
  return outer;
}
