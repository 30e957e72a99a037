import assert from 'node:assert/strict';
import { NODE_TYPE } from '../../server/api/explorer';
import type { Analysis } from '../../server/api/views';
import type { Address } from '../../server/api/primitives';
import type { RpcReceipt } from '../../server/evm/forms/types';
import { toQuantity } from '../../server/evm/forms/quantity';
import { HardhatNode } from '../support/hardhat-node';
import { call } from '../support/json-rpc';
import { nativeMoves, stateMoves } from '../support/native-moves';
import { codeOf, destructions, HEIR, type Destruction } from '../support/self-destructions';
import { createFork, startService, type TestService } from '../support/service';
import { ALICE, ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

const NO_SOURCES = {
  abi: { artifacts: [], sourcify: { enabled: false }, signatures: { enabled: false } },
  prices: { source: 'none' },
};
const alice = ALICE.address.toLowerCase() as Address;

/** Sends the transaction of each case, alone in its block. @returns its hash and its block by the case's name */
async function mineAll(
  chain: HardhatNode | TestChain,
  rpc: { request(method: string, params: unknown[]): Promise<unknown> },
  prefix: 'hardhat' | 'anvil',
): Promise<Map<string, { hash: string; block: number }>> {
  const mined = new Map<string, { hash: string; block: number }>();
  for (const one of destructions()) {
    for (const account of one.accounts) {
      const { address, balance } = account;
      const code = codeOf(account);
      if (code) await rpc.request(`${prefix}_setCode`, [address, code]);
      await rpc.request(`${prefix}_setBalance`, [address, toQuantity(balance)]);
    }
    await chain.mine();
    const hash = await chain.send(ALICE, {
      type: 0,
      gasPrice: 10n ** 11n,
      gasLimit: 500_000,
      to: one.accounts[0]!.address,
      value: BigInt(one.value),
    });
    mined.set(one.name, { hash, block: await chain.mine() });
  }
  return mined;
}

/** Compares the analysis of a case with the expected frames and with the chain's own balances. */
async function assertReported(
  { data, message }: { data: Analysis; message: string },
  url: string,
  one: Destruction,
  era: keyof Destruction['frames'],
): Promise<void> {
  assert.equal(message, 'OK');
  assert.deepEqual(data.failures, []);
  const frames = Object.values(data.dataMap).flatMap((node) => {
    if (node.nodeType !== NODE_TYPE.invocation) return [];
    const { operation, fromAddress, address, value } = node.invocation;
    return operation === 'SELFDESTRUCT' ? [[fromAddress, address, value]] : [];
  });
  const ether = (wei: number): string =>
    wei === 0 ? '0' : `0.${String(wei).padStart(18, '0')}`.replace(/0+$/, '');
  assert.deepEqual(
    frames,
    one.frames[era].map(([from, to, value]) => [from, to, ether(value)]),
  );
  const receipt = await call<RpcReceipt>(url, 'eth_getTransactionReceipt', data.transaction.hash);
  const block = Number(receipt.blockNumber);
  const involved = new Set([alice, HEIR, ...one.frames[era].flatMap(([from, to]) => [from, to])]);
  for (const { address } of one.accounts) involved.add(address);
  const moves: [string, string][] = [];
  for (const address of involved) {
    const [before, after] = await Promise.all(
      [block - 1, block].map(async (number) =>
        BigInt(await call(url, 'eth_getBalance', address, toQuantity(number))),
      ),
    );
    const fee =
      address === alice ? BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice!) : 0n;
    const moved = after! - before! + fee;
    if (moved !== 0n) moves.push([address, moved.toString()]);
  }
  moves.sort(([a], [b]) => (a < b ? -1 : 1));
  assert.deepEqual(nativeMoves(data.balanceChange!), moves, 'balance changes');
  assert.deepEqual(stateMoves(data), moves, 'state difference');
  assert.deepEqual(
    [data.verification?.faithful, data.verification?.native],
    [true, 'verified'],
    data.verification?.firstDifference,
  );
  const paid = data.fundFlow!.map(({ from, to }) => [from, to]);
  assert.ok(
    paid.every(([from, to]) => from !== to),
    'no account pays itself',
  );
}

describe('a self-destruction', () => {
  let engines: TestEngines;
  before(async () => {
    engines = await testEngines();
  });
  after(() => engines.close());

  for (const era of ['cancun', 'shanghai'] as const) {
    describe(`that is executed again under ${era} rules`, () => {
      let node: HardhatNode;
      let service: TestService;
      let mined: Awaited<ReturnType<typeof mineAll>>;
      before(async () => {
        node = await HardhatNode.launch(era);
        await node.rpc.request('hardhat_setBalance', [ALICE.address, toQuantity(10n ** 21n)]);
        mined = await mineAll(node, node.rpc, 'hardhat');
        service = await startService({
          counted: true,
          config: { chains: [ethChain(node.url, { hardfork: era })], ...NO_SOURCES },
        });
      });
      after(async () => {
        await service.stop();
        await node.close();
      });
      for (const one of destructions()) {
        it(one.name, async () => {
          const path = `/v1/explorer/eth/transaction/${mined.get(one.name)!.hash}/analysis?proof=wait`;
          const answer = await service.request<Analysis>('GET', path);
          assert.equal(answer.data.verification?.method, 'replay', answer.message);
          await assertReported(answer, node.url, one, era);
        });
      }
    });
  }

  describe('that is traced by a node with a debug API, or by a fork', () => {
    let chain: TestChain;
    let service: TestService;
    let mined: Awaited<ReturnType<typeof mineAll>>;
    let rpc: string;
    let fork: string;
    before(async () => {
      chain = await TestChain.start(engines.start);
      const start = toQuantity(await chain.mine());
      mined = await mineAll(chain, chain.engine.rpc, 'anvil');
      service = await startService({
        counted: true,
        config: { chains: [ethChain(chain.engine.url, { hardfork: 'prague' })], ...NO_SOURCES },
      });
      ({ rpc, forkId: fork } = await createFork(service, { chainId: 1, height: start }));
    });
    after(() => service.stop());
    for (const one of destructions()) {
      it(`${one.name}, by the node`, async () => {
        const path = `/v1/explorer/eth/transaction/${mined.get(one.name)!.hash}/analysis?proof=wait`;
        const answer = await service.request<Analysis>('GET', path);
        assert.equal(answer.data.verification?.method, 'debug', answer.message);
        await assertReported(answer, chain.engine.url, one, 'cancun');
      });
      it(`${one.name}, by a fork`, async () => {
        for (const account of one.accounts) {
          const code = codeOf(account);
          if (code) await call(rpc, 'anvil_setCode', account.address, code);
          await call(rpc, 'anvil_setBalance', account.address, toQuantity(account.balance));
        }
        await call(rpc, 'evm_mine');
        const sent = await call(rpc, 'eth_sendTransaction', {
          from: ALICE.address,
          to: one.accounts[0]!.address,
          value: toQuantity(one.value),
          gas: '0x7a120',
        });
        const path = `/v1/explorer/${fork}/transaction/${sent}/analysis?proof=wait`;
        await assertReported(await service.request<Analysis>('GET', path), rpc, one, 'cancun');
      });
    }
  });
});
