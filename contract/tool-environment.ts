type Environment = Readonly<Record<string, string | undefined>>;

/** What programs on this machine need to run and to show a window: no keys, no tokens, no addresses with a password. */
const needed =
  /^(PATH|HOME|USER|LOGNAME|SHELL|USERPROFILE|LOCALAPPDATA|APPDATA|SYSTEMROOT|COMSPEC|PATHEXT|TMPDIR|TEMP|TMP|LANG|LC_[A-Z]+|TZ|DISPLAY|WAYLAND_DISPLAY|XAUTHORITY|XDG_[A-Z_]+|DBUS_SESSION_BUS_ADDRESS|DESKTOP_SESSION|BROWSER)$/i;

/** The part of an environment that a program gets which is no concern of ours. */
export function toolEnvironment(env: Environment): Record<string, string> {
  return Object.fromEntries(
    Object.entries(env).filter(
      (entry): entry is [string, string] => entry[1] !== undefined && needed.test(entry[0]),
    ),
  );
}

/**
 * Starts a library that starts a program at once, and lets nobody say with which environment: meanwhile this process
 * shows that part of its own alone.
 */
export function inToolEnvironment<Result>(
  owner: { env: Record<string, string | undefined> },
  start: () => Result,
): Result {
  const { env } = owner;
  owner.env = toolEnvironment(env);
  try {
    return start();
  } finally {
    owner.env = env;
  }
}
