import assert from 'node:assert/strict';
import type { Activity, Watched } from '../../server/api/activity';
import type { Fork } from '../../server/api/fork';
import { call } from '../support/json-rpc';
import { createFork, startService, type TestService } from '../support/service';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const STRANGER = `0x${'99'.repeat(20)}`;
/** Of `Transfer(address,address,uint256)`. */
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const SANDBOX_BLOCKS = 8;

describe('the activity of watched addresses and events', () => {
  let service: TestService;
  let fork: Fork;

  before(async () => {
    service = await startService({ counted: true, args: ['--sandbox'] });
    const height = `0x${SANDBOX_BLOCKS.toString(16)}`;
    fork = await createFork(service, { chainId: 31337, height, name: 'watched' });
  });

  after(() => service.stop());

  const find = (chain: string, watches: unknown, after?: object) =>
    service.request<Activity>('POST', `/v1/explorer/${chain}/activity`, {
      body: { watches, ...(after && { after }) },
    });
  const address = (one: string): Watched => ({ kind: 'address', address: one as `0x${string}` });

  it('follows a fork from its head on, through a revert', async () => {
    const watches = [address(ALICE), address(STRANGER), address(BOB)];
    const { data: start } = await find(fork.forkId, watches);
    assert.deepEqual([start.head.number, start.count], [SANDBOX_BLOCKS, 0]);
    const snapshot = await call(fork.rpc, 'evm_snapshot');
    const sent = await call(fork.rpc, 'eth_sendTransaction', {
      from: ALICE,
      to: STRANGER,
      value: '0x1',
    });
    const { data: first } = await find(fork.forkId, watches, start.head);
    assert.deepEqual(
      [first.head.number, first.blocks, first.count, first.reorganized],
      [SANDBOX_BLOCKS + 1, 1, 1, false],
    );
    const [found] = first.transactions;
    assert.deepEqual(
      [found?.hash, found?.from, found?.to, found?.status, found?.watches],
      [sent, ALICE, STRANGER, true, [0, 1]],
    );
    const { data: none } = await find(fork.forkId, watches, first.head);
    assert.deepEqual([none.blocks, none.count], [0, 0]);

    await call(fork.rpc, 'evm_revert', snapshot);
    const other = await call(fork.rpc, 'eth_sendTransaction', {
      from: ALICE,
      to: BOB,
      value: '0x2',
    });
    const { data: reverted } = await find(fork.forkId, watches, first.head);
    assert.equal(reverted.reorganized, true);
    const newest = reverted.transactions[0];
    assert.deepEqual([newest?.hash, newest?.watches], [other, [0, 2]]);
  });

  it('finds an event on a chain, and the addresses that its topics name', async () => {
    const { data: earlier } = await service.request<{ blocks: { number: number; hash: string }[] }>(
      'GET',
      '/v1/explorer/sandbox/blocks?before=2&limit=1',
    );
    const { number, hash } = earlier.blocks[0]!;
    const watches = [{ kind: 'event', topic: TRANSFER }, address(BOB)];
    const { data } = await find('sandbox', watches, { number, hash });
    assert.equal(data.blocks + data.skipped, data.head.number - number);
    assert.ok(data.transactions.length > 0 && data.count >= data.transactions.length);
    assert.ok(data.transactions.some((one) => one.watches.includes(0)));
    assert.ok(
      data.transactions.some(
        ({ watches: matched, from, to }) => matched.includes(1) && from !== BOB && to !== BOB,
      ),
    );
  });

  it('refuses what is no watch, and too many', async () => {
    const refused = async (watches: unknown, after?: object): Promise<string> => {
      const { code, message } = await find('sandbox', watches, after);
      assert.equal(code, 40_001);
      return message;
    };
    assert.match(await refused([]), /1 to 50 watches/);
    assert.match(await refused(Array.from({ length: 51 }, () => address(BOB))), /1 to 50 watches/);
    assert.match(await refused([{ kind: 'address', address: '0x1' }]), /address/);
    assert.match(await refused([{ kind: 'event', topic: '0x1' }]), /topic/);
    assert.equal(
      await refused([{ kind: 'evnt', topic: TRANSFER }]),
      'watches[0].kind is "evnt"; accepted: address, event',
    );
    assert.equal(
      await refused([{ kind: 'event', topic: TRANSFER, adress: BOB }]),
      'watches[0].adress is not known; did you mean address? accepted: kind, address, topic',
    );
    assert.equal(
      await refused([address(BOB)], { number: -1, hash: '0x1' }),
      'after.number is -1; accepted: a block number of 0 or more; after.hash is "0x1"; accepted: a block hash: 0x and 64 hex digits',
    );
    assert.equal((await find('nowhere', [address(BOB)])).code, 40_404);
  });
});
