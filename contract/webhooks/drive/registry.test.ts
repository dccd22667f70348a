import { expect, test } from 'vitest';
import { awaitedIn, deliveriesOf, messagesAskedIn } from './case.ts';
import { sixOrders } from './cases/repeated.ts';
import { later } from './delivery.ts';
import { driveCases, findDriveCase } from './registry.ts';

test('ids never change: reports and baselines refer to them', () => {
  expect(driveCases.map(({ id }) => id)).toEqual([
    ...['received', 'sent', 'delivered', 'read', 'failed'].map((name) => `valid.${name}`),
    'forged.no-signature',
    'forged.empty-signature',
    'forged.wrong-secret',
    'forged.empty-secret',
    'forged.flipped-bit',
    'forged.altered-body',
    'forged.reserialised',
    'forged.sha1',
    'forged.other-prefix',
    'forged.no-prefix',
    'forged.truncated',
    'forged.extended',
    'forged.non-hex',
    'forged.doubled-header',
    'forged.answers',
    'allowed.header-case',
    'allowed.header-padding',
    'allowed.unescaped',
    'allowed.escaped',
    'allowed.white-space',
    'allowed.chunked',
    'allowed.long-text',
    'allowed.large',
    'tolerated.simulated',
    'tolerated.extra-fields',
    'tolerated.unknown-event',
    'tolerated.other-type',
    'tolerated.answers',
    'repeated.in-turn',
    'repeated.at-once',
    'repeated.any-order',
    'secrets.rotation',
    'effect.once-in-turn',
    'effect.once-at-once',
    'effect.any-order',
    'effect.forged',
    'connection.cut-off',
    'connection.reused',
    'connection.held',
    'burst.answers',
    'effect.under-load',
  ]);
});

test('what the document does not say decides nothing: sizes of more than a plain message, and forms that only the owner of the secret can send', () => {
  for (const id of [
    'allowed.large',
    'forged.doubled-header',
    'forged.no-prefix',
    'forged.answers',
    'tolerated.answers',
  ])
    expect(findDriveCase(id)?.level, id).toBe('should');
});

test('a case comes after those that it rests on', () => {
  for (const [at, { id, dependsOn }] of driveCases.entries()) {
    const before = driveCases.slice(0, at).map((one) => one.id);
    expect(before, id).toEqual(expect.arrayContaining([...dependsOn]));
  }
});

test('deliveries of a case have names of their own', () => {
  for (const one of driveCases) {
    const names = deliveriesOf(one).map(({ name }) => name);
    expect(new Set(names).size, one.id).toBe(names.length);
  }
});

test('effects are asked about messages that were sent', () => {
  for (const one of driveCases) {
    const sent = deliveriesOf(one).map(({ message }) => message);
    const messages = awaitedIn(one)?.messages ?? [];
    if (messages !== 'of-burst') expect(sent, one.id).toEqual(expect.arrayContaining([...messages]));
  }
});

test('what is asked about effects is followed by an event of another message', () => {
  for (const one of driveCases.filter(({ needs }) => needs === 'effects'))
    expect(deliveriesOf(one).at(-1), one.id).toBe(later);
});

test('the effects of every forgery are asked about', () => {
  const forged = driveCases.filter(({ group }) => group === 'Forgeries');
  const messages = forged.flatMap((one) =>
    deliveriesOf(one).map(({ message }) => ({ caseId: one.id, message })),
  );
  const own = ['unsigned', 'forged'].map((message) => ({ caseId: 'effect.forged', message }));
  expect(
    messagesAskedIn(findDriveCase('effect.forged')!, { burst: { eventsPerSecond: 15, seconds: 10 } }),
  ).toEqual([...own, ...messages]);
});

test('a forgery decides where somebody without the secret could pass', () => {
  const level = (wanted: string) =>
    driveCases
      .filter((one) => one.group === 'Forgeries' && one.level === wanted)
      .map(({ id }) => id.slice(7));
  expect(level('should')).toEqual([
    'reserialised',
    'sha1',
    'other-prefix',
    'no-prefix',
    'extended',
    'doubled-header',
    'answers',
  ]);
  for (const { id, level: own, why } of driveCases.filter((one) => one.id.startsWith('forged.')))
    if (own === 'must') expect(why, id).not.toContain('Only who has the secret');
});

test('three events have six orders', () => {
  expect(new Set(sixOrders.map((order) => order.join())).size).toBe(6);
});

test('a case is found by its id', () => {
  expect(findDriveCase('forged.sha1')?.title).toBe('a weaker algorithm');
  expect(findDriveCase('forged')).toBeUndefined();
});
