import { type Document, isRollingIn, scopesOf } from '../../contract/document/document.ts';

/** Below this a run cannot tell a rolling window from one that begins anew, ms. */
const shortSeconds = 30;

/** What a run that is held to this document will leave open, or needs from the settings, a sentence each. */
export function remarksOn(document: Document): readonly string[] {
  const { scopes, windowSeconds } = document;
  const unshown = Object.entries(scopes).filter(([, { request }]) => request === undefined);
  return [
    ...unshown.map(
      ([name]) =>
        `no request is shown for ${name}: the settings of a deployment have to name one (requests.${name})`,
    ),
    ...(windowSeconds < shortSeconds && scopesOf(document).some((scope) => isRollingIn(document, scope))
      ? [
          `in a window of ${windowSeconds} s, window.rolling may stay open: too few single places come back, one after another, to tell it from a window that begins anew`,
        ]
      : []),
  ];
}
