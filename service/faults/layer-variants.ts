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
];

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
