import assert from 'node:assert/strict';
import { RecordedSession } from '../support/recordings';
import { sandboxHash } from '../support/sandbox-hashes';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

/** Each line of a transaction in order: its number, and the call stack outwards. */
const SCRIPTS: Readonly<Record<string, readonly string[]>> = {
  'transfer-18-decimals': [
    '12 HarborToken.transfer',
    '13 HarborToken.transfer',
    ...[36, 37, 38, 39].map((line) => `${line} _transfer < 13 HarborToken.transfer`),
  ],
  'proxy-mint': [
    '31 Proxy.fallback',
    ...[62, 60, 63].map((line) => `${line} _delegate < 31 Proxy.fallback`),
    ...['27 UpgradeableToken.mint', '28 UpgradeableToken.mint'].map(
      (top) => `${top} < 63 _delegate < 31 Proxy.fallback`,
    ),
    ...[43, 44, 45].map(
      (line) => `${line} _mint < 28 UpgradeableToken.mint < 63 _delegate < 31 Proxy.fallback`,
    ),
    '28 UpgradeableToken.mint < 63 _delegate < 31 Proxy.fallback',
    ...[64, 65, 66].map((line) => `${line} _delegate < 31 Proxy.fallback`),
  ],
  'custom-error-three-deep': [
    ...[48, 49, 50].map((line) => `${line} Checkout.buy`),
    '30 Warehouse.pick < 50 Checkout.buy',
    '15 Shelf.take < 30 Warehouse.pick < 50 Checkout.buy',
    '30 Warehouse.pick < 50 Checkout.buy',
    '50 Checkout.buy',
  ],
  'create-and-destroy': [
    '40 CapsuleFactory.buryAndOpen',
    ...[13, 14, 15].map(
      (line) => `${line} TimeCapsule.constructor < 40 CapsuleFactory.buryAndOpen`,
    ),
    ...[40, 41, 42].map((line) => `${line} CapsuleFactory.buryAndOpen`),
    ...[19, 20].map((line) => `${line} TimeCapsule.open < 42 CapsuleFactory.buryAndOpen`),
    '42 CapsuleFactory.buryAndOpen',
  ],
  'wrap-by-sending': [
    '19 WrappedEther.receive',
    '23 deposit < 19 WrappedEther.receive',
    '24 deposit < 19 WrappedEther.receive',
    '19 WrappedEther.receive',
  ],
  'split-by-library': [1, 2, 3].flatMap(() => [
    '23 RevenueSplitter.split',
    '24 RevenueSplitter.split',
    '7 ShareMath.portion < 24 RevenueSplitter.split',
    '8 ShareMath.portion < 24 RevenueSplitter.split',
    ...[24, 25, 26, 27].map((line) => `${line} RevenueSplitter.split`),
  ]),
  'nft-transfer': [48, 49, 52, 53, 54, 55, 56].map((line) => `${line} Lighthouse.transferFrom`),
  'receive-ether': ['10 TipJar.receive'],
  'fallback-with-data': ['14 TipJar.fallback'],
  'panic-array-index': ['18 Calculator.pick'],
};
/** The loop ends at its increment. */
const LAST: Readonly<Record<string, string>> = { 'split-by-library': '23 RevenueSplitter.split' };

describe('the lines of recordings', () => {
  let service: SandboxService;
  before(async () => {
    service = await sandboxService();
  });
  after(() => service.release());

  const open = (id: string): Promise<RecordedSession> =>
    RecordedSession.open(service, 'sandbox', sandboxHash(id));

  const stacks = (session: RecordedSession, steps: readonly number[]): Promise<string[]> =>
    Promise.all(steps.map((step) => session.stackAt(step)));

  for (const [id, expected] of Object.entries(SCRIPTS)) {
    it(`go through the lines of ${id}, and back`, async () => {
      const session = await open(id);
      const { entry, steps } = session.recording;
      const forwards = await session.walk(entry);
      assert.deepEqual(await stacks(session, forwards), [
        ...expected,
        ...(LAST[id] ? [LAST[id]] : []),
      ]);
      const last = await session.walk(steps - 1, { direction: 'backwards' });
      assert.deepEqual(last.slice(1).reverse(), forwards);
    });
  }

  it('go over and out of calls', async () => {
    const session = await open('custom-error-three-deep');
    const over = await session.walk(session.recording.entry, { depth: 'over' });
    assert.deepEqual(
      await stacks(session, over),
      [48, 49, 50].map((line) => `${line} Checkout.buy`),
    );
    const [inside] = (
      await session.find(0, { mode: 'continue', functions: [{ id: 1, name: 'take' }] })
    ).ids;
    assert.equal(inside, 1);
    const { step } = await session.find(0, {
      mode: 'continue',
      functions: [{ id: 1, name: 'Shelf.take' }],
    });
    const out = await session.find(step, { depth: 'out' });
    const back = await session.find(step, { depth: 'out', direction: 'backwards' });
    const line = '30 Warehouse.pick < 50 Checkout.buy';
    assert.deepEqual(await stacks(session, [out.step, back.step]), [line, line]);
    assert.ok(back.step < step && step < out.step);
  });
});
