import fc from 'fast-check';
import { expect, test } from 'vitest';
import { judgeWebhooks } from '../../judge/webhooks/judge-webhooks.ts';
import { senderVariants } from '../../service/webhooks/faults/variants.ts';
import { documentedSender } from '../../service/webhooks/sender.ts';
import { simulatedSecret, webhookRun } from './webhook-run.ts';

const senders = [documentedSender, ...senderVariants.map(({ patch }) => patch(documentedSender))];

/** Whatever is lost on the way: answers that the receiver has sent make a sender that keeps the document repeat itself. */
test('a sender that keeps the document is never called violated, whatever the way to the receiver loses', () => {
  const weather = fc.record({
    lostAnswers: fc.double({ min: 0, max: 1, noNaN: true }),
    brokenOff: fc.double({ min: 0, max: 0.9, noNaN: true }),
    latencyMsMax: fc.constantFrom(3, 400, 4_000),
  });
  fc.assert(
    fc.property(fc.constantFrom(...senders), fc.nat(1_000_000), weather, (sender, seed, one) => {
      const { judgements } = judgeWebhooks(webhookRun(sender, seed, one), {
        secrets: [simulatedSecret],
        meanwhile: null,
      });
      const wrong = judgements.filter(
        ({ verdict }) => verdict.kind === 'violated' || verdict.kind === 'crashed',
      );
      expect(wrong).toEqual([]);
    }),
    { seed: 3, numRuns: 120 },
  );
});
