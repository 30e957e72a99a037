import assert from 'node:assert/strict';
import type { ForkTransactions } from '../../server/api/fork';
import { createForkBody } from '../../server/api/fork';
import type { Progress } from '../../server/api/progress';
import { toWord } from '../../server/evm/forms/quantity';
import type { RpcBlockHeader } from '../../server/evm/forms/types';
import { fetchBlock } from '../../server/execution/prefix/upstream-block';
import { call, refusal } from '../support/json-rpc';
import { BUSY } from '../support/mainnet-blocks';
import { LOTTERY } from '../support/mainnet-contracts';
import { MainnetUpstream } from '../support/mainnet-upstream';
import { isKind, PROJECT, TestForks } from './fork-service';
import { ALICE, BOB, COUNTER, ethChain, testEngines, type TestEngines } from './fork-upstream';

const BEACON_ROOTS = '0x000f3df6d732807ef1319fb7b8bb8522d0beac02';
const HISTORY = '0x0000f90827f1c53a10cb7a02335b175320002935';

describe('a fork inside a block of an independent node', () => {
  let mainnet: MainnetUpstream;
  let engines: TestEngines;
  let service: TestForks;
  let height: string;
  before(async () => {
    [mainnet, engines] = await Promise.all([MainnetUpstream.start(), testEngines()]);
    height = `0x${mainnet.busy.toString(16)}`;
    service = await TestForks.open(engines, ethChain(mainnet.url, { hardfork: 'prague' }));
  });
  after(async () => {
    await service.close();
    await Promise.all([mainnet.close(), engines.close()]);
  });
  afterEach(() => service.forks.deleteAllOf(PROJECT));

  it('reports a faithful replay, in the answer and in the record', async () => {
    const fork = await service.create({ height, position: BUSY.factory });
    assert.deepEqual(fork.replay, { faithful: true, executor: 'anvil' });
    assert.deepEqual(service.records.get(fork.forkId)?.replay, {
      faithful: true,
      executor: 'anvil',
    });
    assert.equal(await call(fork.rpc, 'eth_blockNumber'), height);
    const { mixHash } = (await mainnet.rpc.request('eth_getBlockByNumber', [height, false])) as {
      mixHash: string;
    };
    assert.equal(
      await call(fork.rpc, 'eth_getStorageAt', LOTTERY.address, '0x0', 'latest'),
      mixHash,
    );
  });

  it('reports no replay if there was none', async () => {
    assert.equal((await service.create({ height, position: 0 })).replay, undefined);
    assert.equal((await service.create({ height })).replay, undefined);
  });

  it('reports the progress of the replay, and can be cancelled during it', async () => {
    const body = createForkBody.parse({ chainId: 1, name: 'p', height, position: 9 });
    const progress: Progress[] = [];
    const { signal } = new AbortController();
    const onProgress = (step: Progress) => progress.push(step);
    await service.forks.create(PROJECT, body, { signal, onProgress });
    assert.deepEqual(
      progress,
      Array.from({ length: 10 }, (_, done) => ({
        stage: 'replaying transactions',
        done,
        total: 9,
      })),
    );
    const controller = new AbortController();
    await assert.rejects(
      service.forks.create(PROJECT, body, {
        signal: controller.signal,
        onProgress: ({ done }) => {
          if (done === 3) controller.abort();
        },
      }),
      isKind('cancelled', /cancelled/),
    );
    assert.equal((await service.forks.list(PROJECT)).length, 1);
  });

  it('keeps the ring buffers of EIP-4788 and EIP-2935 correct in new blocks', async () => {
    const fork = await service.create({ height, position: 1 });
    const slot = (address: string, at: number) =>
      call(fork.rpc, 'eth_getStorageAt', address, `0x${at.toString(16)}`, 'latest');
    await call(fork.rpc, 'anvil_setBalance', ALICE.address, '0xde0b6b3a7640000');
    await call(fork.rpc, 'eth_sendTransaction', { from: ALICE.address, to: BOB.address });
    await call(fork.rpc, 'anvil_mine', '0x5', '0xc');
    const original = await fetchBlock(mainnet.rpc, mainnet.busy);
    const head = Number(await call(fork.rpc, 'eth_blockNumber'));
    assert.equal(head, mainnet.busy + 6);
    for (let number = mainnet.busy; number <= head; number++) {
      const { timestamp, parentHash } = await call<RpcBlockHeader>(
        fork.rpc,
        'eth_getBlockByNumber',
        `0x${number.toString(16)}`,
        false,
      );
      assert.equal(await slot(HISTORY, (number - 1) % 8191), parentHash);
      const time = Number(timestamp) % 8191;
      assert.equal(Number(await slot(BEACON_ROOTS, time)), Number(timestamp));
      const root = number === mainnet.busy ? original?.parentBeaconBlockRoot : toWord(0);
      assert.equal(await slot(BEACON_ROOTS, time + 8191), root);
    }
  });

  it('with anti-replay accepts signed transactions of each type for its own chain id only', async () => {
    const fork = await service.create({ height, position: BUSY.factory, antiReplay: true });
    assert.deepEqual(fork.replay, { faithful: true, executor: 'anvil' });
    await call(fork.rpc, 'anvil_setBalance', ALICE.address, '0xde0b6b3a7640000');
    const fees = { maxFeePerGas: 10n ** 10n, maxPriorityFeePerGas: 1n };
    const legacy = { gasPrice: 10n ** 10n };
    const authorization = (chainId: number) =>
      BOB.authorizeSync({ address: COUNTER, chainId, nonce: 0 });
    const types = [
      { type: 0, ...legacy },
      { type: 1, ...legacy },
      { type: 2, ...fees },
      { type: 4, ...fees, authorizationList: [authorization(0), authorization(9991)] },
    ];
    const sign = (fields: object, chainId: number, nonce: number) =>
      ALICE.signTransaction({ to: COUNTER, gasLimit: 200_000, nonce, chainId, ...fields });
    for (const [nonce, fields] of types.entries()) {
      const foreign = await refusal(
        fork.rpc,
        'eth_sendRawTransaction',
        await sign(fields, 1, nonce),
      );
      assert.equal(
        foreign.message,
        'invalid chain id: the transaction is signed for chain 1, this fork is chain 9991',
      );
      await call(fork.rpc, 'eth_sendRawTransaction', await sign(fields, 9991, nonce));
    }
    const anywhere = await sign({ type: 0, ...legacy }, 0, 4);
    assert.match(
      (await refusal(fork.rpc, 'eth_sendRawTransaction', anywhere)).message,
      /before EIP-155/,
    );
    const { transactions }: ForkTransactions = await service.forks.transactions(
      PROJECT,
      fork.forkId,
      { limit: 10 },
    );
    assert.deepEqual(
      transactions.map(({ warning }) => warning),
      [
        `its authorization of ${COUNTER} is signed for chain id 0: anyone can use it on the real chain as well`,
        undefined,
        undefined,
        undefined,
      ],
    );
  });
});
