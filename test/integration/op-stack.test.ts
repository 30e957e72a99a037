import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import type { Recording } from '../../server/api/recording';
import type { Analysis } from '../../server/api/views';
import { NodeServer } from '../fidelity/node-server';
import { post, type RpcReply } from '../support/json-rpc';
import {
  BOB,
  CAROL,
  CHAIN_ID,
  ETHER,
  FEE,
  OpChain,
  SHARES,
  statesOf,
  VAULTS,
  type Accounts,
} from '../support/op-chain';
import { localProject, startService, type TestService } from '../support/service';

describe('a chain of the OP Stack without debug API', function () {
  this.timeout(60_000);
  let nodes: NodeServer;
  let service: TestService;
  let chain: OpChain;
  before(async () => {
    nodes = await NodeServer.start();
    chain = await OpChain.create();
    const wrong = await OpChain.create({ [VAULTS.l1]: { balance: 1n, nonce: 0 } });
    const chainOf = (slug: string, { answer }: OpChain): object => ({
      slug,
      name: slug,
      chainId: CHAIN_ID,
      hardfork: 'prague',
      rpcUrls: [nodes.add(`/${slug}`, answer)],
    });
    service = await startService({
      counted: true,
      config: { chains: [chainOf('op-test', chain), chainOf('op-wrong', wrong)] },
    });
  });
  after(async () => {
    await service.stop();
    await nodes.close();
  });

  const analysisOf = async (index: number, slug = 'op-test'): Promise<Analysis> => {
    const { hash } = chain.transactions[index]!;
    const path = `/v1/explorer/${slug}/transaction/${hash}/analysis?proof=wait`;
    const { code, message, data } = await service.request<Analysis>('GET', path);
    assert.equal(code, 0, message);
    return data;
  };

  it('charges a transfer for the parent chain and the operator, and pays every vault', async () => {
    const { verification, stateDiff, transaction, balanceChange } = await analysisOf(2);
    assert.deepEqual(
      [verification?.level, verification?.executor, verification?.native, verification?.untold],
      ['state-proved', 'process', 'verified', undefined],
    );
    assert.deepEqual(stateDiff?.fee, {
      payer: chain.transactions[2]!.from,
      paid: FEE.toString(),
      recipient: VAULTS.priority,
      received: SHARES.priority.toString(),
      others: [
        { recipient: VAULTS.base, received: SHARES.base.toString() },
        { recipient: VAULTS.l1, received: SHARES.l1.toString() },
        { recipient: VAULTS.operator, received: SHARES.operator.toString() },
      ],
    });
    assert.equal(transaction.fee, `0.${FEE.toString().padStart(18, '0').replace(/0+$/, '')}`);
    const changes = stateDiff.accounts.map(({ address, balance }) => [address, balance?.change]);
    assert.deepEqual(
      new Map(changes as [string, string][]),
      new Map([
        [chain.transactions[2]!.from, (-(10n ** 17n)).toString()],
        [CAROL, (10n ** 17n).toString()],
        ...Object.values(VAULTS).map((vault) => [vault, '0'] as [string, string]),
      ]),
    );
    assert.equal(balanceChange?.length, 2);
  });

  it('analyzes a deposit that mints, and one that fails', async () => {
    const minted = await analysisOf(1);
    assert.deepEqual(
      [minted.verification?.level, minted.verification?.native, minted.stateDiff?.fee.paid],
      ['state-proved', 'verified', '0'],
    );
    const bob = minted.stateDiff?.accounts.find(({ address }) => address === BOB);
    assert.deepEqual([bob?.balance?.after, bob?.nonce?.after], [(7n * 10n ** 17n).toString(), 1]);
    const failed = await analysisOf(3);
    assert.deepEqual(
      [failed.verification?.level, failed.verification?.native, failed.status],
      ['state-proved', 'verified', false],
    );
    const dave = failed.stateDiff?.accounts.find(
      ({ address }) => address === chain.transactions[3]!.from,
    );
    assert.deepEqual([dave?.balance?.after, dave?.nonce?.after], [ETHER.toString(), 1]);
  });

  const forkAt = async (position: number | undefined, slug = 'op-test'): Promise<Fork> => {
    const path = `/v1/project/${await localProject(service)}/fork`;
    const body = { name: 'inside', chainId: CHAIN_ID, chain: slug, height: '0x3e8', position };
    const { code, message, data } = await service.request<Fork>('POST', path, { body });
    assert.equal(code, 0, message);
    return data;
  };

  async function accountsOn(url: string, addresses: readonly string[]): Promise<Accounts> {
    const read = async (method: string, address: string): Promise<bigint> => {
      const call = { jsonrpc: '2.0', id: 1, method, params: [address, 'latest'] };
      return BigInt(((await post(url, JSON.stringify(call))) as RpcReply).result as string);
    };
    const found: Accounts = {};
    for (const address of addresses) {
      found[address as keyof Accounts] = {
        balance: await read('eth_getBalance', address),
        nonce: Number(await read('eth_getTransactionCount', address)),
      };
    }
    return found;
  }

  it('is forked inside the block with the chain’s own balances and nonces', async () => {
    for (const position of [2, 3, 4]) {
      const fork = await forkAt(position);
      const expected = statesOf()[position]!;
      assert.deepEqual(await accountsOn(fork.rpc, Object.keys(expected)), expected);
      assert.equal(fork.replay?.faithful, true, JSON.stringify(fork.replay));
    }
  });

  it('has the next base fee on a fork, and after each block of it, by the chain’s parameters', async () => {
    const { rpc } = await forkAt(undefined);
    const ask = async (method: string, ...params: unknown[]): Promise<unknown> => {
      const call = { jsonrpc: '2.0', id: 1, method, params };
      return ((await post(rpc, JSON.stringify(call))) as RpcReply).result;
    };
    const found = [await ask('eth_baseFee')];
    for (const blocks of ['0x1', '0x2']) {
      await ask('anvil_mine', blocks);
      found.push(await ask('eth_baseFee'));
    }
    // Denominator 250, elasticity 6: 144,000 of 10,000,000 gas are used, and nothing on the fork.
    assert.deepEqual(found.map(Number), [996_058, 992_074, 984_154]);
  });

  it('records deposits with their mint, and transfers without their fees', async () => {
    const recordingOf = async (index: number): Promise<[number, string, unknown]> => {
      const { hash } = chain.transactions[index]!;
      const path = `/v1/explorer/op-test/transaction/${hash}/recording`;
      const { code, message, data } = await service.request<Recording | undefined>('GET', path);
      return [code, message, data?.verification];
    };
    const equal = [0, 'OK', { level: 'receipt' }];
    assert.deepEqual(await recordingOf(0), equal);
    assert.deepEqual(await recordingOf(1), equal);
    assert.deepEqual(await recordingOf(2), equal);
    const [code, message] = await recordingOf(3);
    assert.notEqual(code, 0);
    assert.match(message, /failed before its first instruction, because 0x\w+ has 10{18} wei/);
  });

  it('says so where the chain’s state after the block is another', async () => {
    const { replay } = await forkAt(3, 'op-wrong');
    assert.equal(replay?.faithful, false);
    assert.match(
      replay.firstDifference ?? '',
      new RegExp(
        `^the balance of ${VAULTS.l1} is \\d+ by the replay of the block, 1 on the chain$`,
      ),
    );
    const { verification } = await analysisOf(2, 'op-wrong');
    assert.equal(verification?.level, 'receipt');
    assert.match(verification.reason ?? '', /1 on the chain$/);
  });
});
