import type { Behaviour } from '../behaviour.ts';
import { everyLimit, type Patch, type Variant } from './fault.ts';

/** What layers in front of a conforming service answer by themselves. */
export const layerVariants: readonly Variant[] = [
  {
    name: 'proxy-answers',
    summary:
      'a proxy answers every 40th request by itself, with a 408, 413, 431 or 499 and a page of its own',
    should: [],
    patch: answeredInFront(({ asked }) => {
      const statuses = [408, 413, 431, 499] as const;
      return asked % 40 === 0 ? (statuses[(asked / 40) % statuses.length] ?? 408) : null;
    }),
  },
  {
    name: 'address-banned',
    summary:
      'after three requests without a valid key the address is shut out, as soon as forty more came: everything gets ' +
      'a 403 with a page of the firewall',
    leavesOpen: [...everyLimit, 'window.rolling'],
    should: [],
    patch: answeredInFront(({ sinceThirdKeyless }) => (sinceThirdKeyless > 40 ? 403 : null)),
  },
  {
    name: 'proxy-limits',
    summary:
      'a proxy limits by itself: every 25th request gets a 429 or a 403 with a page of the proxy, and is not counted',
    should: [],
    patch: answeredInFront(({ asked }) => {
      if (asked % 25 !== 0) return null;
      return asked % 50 === 0 ? 403 : 429;
    }),
  },
  {
    name: 'key-revoked',
    summary:
      'from the 150th request on no key is taken any more: everything gets a 401 with the documented body',
    leavesOpen: ['limits.messages', 'window.rolling'],
    should: [],
    patch: revoked,
  },
];

function revoked(behaviour: Behaviour): Behaviour {
  let asked = 0;
  return {
    ...behaviour,
    authenticate: (authorization, aliasOf) => {
      asked += 1;
      if (asked < 150) return behaviour.authenticate(authorization, aliasOf);
      return {
        kind: 'refused',
        error: { status: 401, code: 'unauthorized', message: 'The key is revoked.' },
      };
    },
  };
}

/** How many requests came, the present one among them. */
type Seen = { readonly asked: number; readonly sinceThirdKeyless: number };

const frontCode = 'front';

/** Another layer, which answers some requests before they are counted: `statusOf` says with what. */
function answeredInFront(statusOf: (seen: Seen) => number | null): Patch {
  return (behaviour) => {
    let asked = 0;
    let keyless = 0;
    let sinceThirdKeyless = 0;
    return {
      ...behaviour,
      authenticate: (authorization, aliasOf) => {
        const authentication = behaviour.authenticate(authorization, aliasOf);
        asked += 1;
        if (keyless >= 3) sinceThirdKeyless += 1;
        if (authentication.kind === 'refused') keyless += 1;
        const status = statusOf({ asked, sinceThirdKeyless });
        if (status === null) return authentication;
        return { kind: 'refused', error: { status, code: frontCode, message: '' } };
      },
      errorBody: (error) =>
        error.code === frontCode
          ? { contentType: 'text/html', text: `<html><title>${error.status}</title></html>` }
          : behaviour.errorBody(error),
    };
  };
}
