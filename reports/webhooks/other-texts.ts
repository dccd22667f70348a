import { plainText } from '../plain-text.ts';
import type { WebhookReport } from './webhook-result.ts';

type OthersOf = Pick<WebhookReport, 'path' | 'judgedPath' | 'otherRequests'>;

/** Other requests that are named; the report has more. */
const othersShown = 6;

/** What else reached the receiver, so that nobody wonders why it is not judged. */
export function otherTexts({ path, judgedPath, otherRequests }: OthersOf): readonly string[] {
  const { total, marked, listed } = otherRequests;
  if (total === 0) return [];
  const by = path === undefined ? ', as most webhooks did' : '';
  const judged = judgedPath === null ? '' : `Judged is what came to ${plainText(judgedPath, 100)}${by}. `;
  const shown = listed.slice(0, othersShown).map((one) => `${one.count} × ${one.method} ${one.path}`);
  const more = listed.length > shown.length ? ', and others' : '';
  const are = total === 1 ? '1 other request is' : `${total} other requests are`;
  const look = marked === 1 ? 'looks like a webhook' : 'look like webhooks';
  const elsewhere =
    marked === 0 ? '' : ` ${marked} of them ${look}: --path names the path whose webhooks are judged.`;
  return [`${judged}${are} not judged: ${plainText(shown.join(', '), 600)}${more}.${elsewhere}`];
}

/** The same as a property of JUnit's. */
export function otherProperties(report: OthersOf | null): Readonly<Record<string, string>> {
  const others = report === null ? [] : otherTexts(report);
  return others.length === 0 ? {} : { otherRequests: others.join(' ') };
}
