import assert from 'node:assert/strict';
import { Wallet, type TransactionLike } from 'ethers';
import type { GasProfile } from '../../server/api/views';
import { toQuantity, toWord } from '../../server/evm/forms/quantity';
import type { RpcClient } from '../../server/evm/forms/json-rpc';
import type { RpcReceipt } from '../../server/evm/forms/types';
import { call } from '../support/json-rpc';
import {
  assemble,
  randomNumbers,
  randomPrograms,
  refundCounter,
  type RefundRules,
} from '../support/gas-programs';
import { MainnetUpstream } from '../support/mainnet-upstream';
import { createFork, startService, type TestService } from '../support/service';
import { UpstreamProxy, type FaultRule } from '../support/upstream-proxy';
import { ALICE, BOB, ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

type Profile = GasProfile['gasProfile'];

const SEED = Number(process.env['FORKLENS_TEST_SEED'] ?? 20_261_122);
const PROGRAMS = Number(process.env['FORKLENS_TEST_PROGRAMS'] ?? 8);
const addressOf = (place: number): string =>
  `0x${(0x9a5000 + place).toString(16).padStart(40, '0')}`;

/** A transaction, and the gas that the rules specify. */
interface Case {
  name: string;
  transaction: TransactionLike;
  counter: number;
  /** Number of authorities that existed. */
  existing?: number;
}

/** Simulates a node of an unknown kind, without any traces. */
const withoutTraces: FaultRule = (calls) =>
  calls.some(({ method }) => /^(debug|trace|ots|web3)_/.test(method))
    ? { error: { code: -32601, message: 'the method does not exist' } }
    : undefined;

function cases(rules: RefundRules): { programs: ReturnType<typeof randomPrograms>; cases: Case[] } {
  const random = randomNumbers(SEED);
  const programs = randomPrograms(random, PROGRAMS);
  const calls = programs.map((_, place): Case => {
    const gasLimit = 2_000_000;
    const counter = programs[place]!.end === 'stop' ? refundCounter(programs, place, rules) : 0;
    const to = addressOf(place);
    const accessList = [{ address: to, storageKeys: [toWord(0), toWord(1)] }];
    const type = rules === 'istanbul' ? 0 : place % 3 === 1 ? 1 : 0;
    const data = place % 2 === 0 ? '0x' : `0x00ff${'00'.repeat(place)}`;
    return {
      name: `program ${place}`,
      transaction: { to, data, gasLimit, type, ...(type === 1 ? { accessList } : {}) },
      counter,
    };
  });
  return {
    programs,
    cases: [
      ...calls,
      { name: 'transfer', transaction: { to: BOB.address, value: 1n, type: 0 }, counter: 0 },
      {
        // Sets and clears a slot of its own, and deploys 32 bytes of code.
        name: 'creation',
        transaction: { data: '0x6001600055600060005560206000f3', type: 0 },
        counter: rules === 'istanbul' ? 19_200 : 19_900,
      },
      {
        name: 'out of gas',
        transaction: { to: addressOf(0), gasLimit: 21_010, type: 0 },
        counter: 0,
      },
      {
        name: 'precompile',
        transaction: { to: `0x${'2'.padStart(40, '0')}`, data: '0x0102', type: 0 },
        counter: 0,
      },
    ],
  };
}

/** Transactions of Prague: authorizations (EIP-7702) and the call data floor (EIP-7623). */
function pragueCases(programs: ReturnType<typeof randomPrograms>): Case[] {
  const place = programs.findIndex(
    ({ end, operations }) => end === 'stop' && operations.length > 1,
  );
  const counter = refundCounter(programs, place, 'prague');
  const authorize = (wallet: Wallet, nonce: number) =>
    wallet.authorizeSync({ address: addressOf(PROGRAMS - 1), nonce, chainId: 1 });
  const stranger = new Wallet(`0x${'5a'.repeat(32)}`);
  return [
    {
      name: 'authorizations of an account that exists and of one that does not',
      transaction: {
        to: addressOf(place),
        type: 4,
        authorizationList: [authorize(BOB, 0), authorize(stranger, 0)],
      },
      counter,
      existing: 1,
    },
    {
      name: 'call data above the floor of a call without code',
      transaction: { to: stranger.address, data: `0x${'ab'.repeat(500)}`, type: 0 },
      counter: 0,
    },
    {
      name: 'call data above the floor of a call that earns a refund',
      transaction: {
        to: addressOf(place),
        data: `0x${'ab'.repeat(3_000)}`,
        type: 0,
        gasLimit: 2_000_000,
      },
      counter,
    },
    {
      name: 'a floor of a precompile',
      transaction: { to: `0x${'4'.padStart(40, '0')}`, data: `0x${'ab'.repeat(400)}`, type: 0 },
      counter: 0,
    },
  ];
}

function assertParts(profile: Profile, receipt: RpcReceipt, rules: RefundRules, one: Case): void {
  const { gasUsed, intrinsicGas, executionGas, refund, floorGas, frames, contracts } = profile;
  assert.equal(gasUsed, Number(receipt.gasUsed), one.name);
  const parts = [intrinsicGas, executionGas, refund, floorGas];
  assert.ok(
    parts.every((part) => part !== null && part >= 0),
    `${one.name}: ${JSON.stringify({ ...profile, frames: 0, contracts: 0 })}`,
  );
  assert.equal(gasUsed, intrinsicGas! + executionGas! - refund! + floorGas!, one.name);
  const sum = (of: readonly { selfGas: number | null }[]): number =>
    of.reduce((total, { selfGas }) => total + selfGas!, 0);
  assert.ok(
    frames.every(({ selfGas }) => selfGas !== null && selfGas >= 0),
    one.name,
  );
  assert.equal(sum(frames), executionGas, one.name);
  assert.equal(sum(contracts), executionGas, one.name);
  const most = Math.floor(
    (intrinsicGas! + executionGas!) / (rules === 'london' || rules === 'prague' ? 5 : 2),
  );
  const earned = one.counter + 12_500 * (one.existing ?? 0);
  assert.equal(refund, Math.min(earned, most), `${one.name}: refund`);
}

describe(`gas profiles of random transactions (seed ${SEED})`, function () {
  this.timeout(60_000);
  let engines: TestEngines;
  before(async () => {
    engines = await testEngines();
  });
  after(() => engines.close());

  async function prepare(
    rpc: RpcClient,
    prefix: string,
    programs: ReturnType<typeof randomPrograms>,
  ): Promise<void> {
    for (const [place, program] of programs.entries()) {
      const address = addressOf(place);
      await rpc.request(`${prefix}_setCode`, [address, assemble(program, addressOf)]);
      for (const [slot, value] of program.storage.entries()) {
        const params = [address, toQuantity(slot), toWord(value)];
        await rpc.request(`${prefix}_setStorageAt`, params);
      }
    }
  }

  const profileOf = async (service: TestService, chain: string, hash: string): Promise<Profile> => {
    const path = `/v1/explorer/${chain}/transaction/${hash}/gas-profile`;
    const { data, message } = await service.request<GasProfile>('GET', path);
    assert.equal(message, 'OK');
    return data.gasProfile;
  };

  for (const rules of ['istanbul', 'berlin', 'london', 'prague'] as const) {
    it(`add up and match the rules of ${rules}, from anvil and from a replay`, async () => {
      const { programs, cases: all } = cases(rules);
      const chain = await TestChain.start(engines.start, 1, rules);
      const { rpc, url } = chain.engine;
      const proxy = await UpstreamProxy.start(url);
      proxy.fault = withoutTraces;
      const service = await startService({ counted: true, config: config(rules, url, proxy.url) });
      try {
        for (const one of all) {
          await prepare(rpc, 'anvil', programs);
          await chain.mine();
          const hash = await chain.send(ALICE, one.transaction);
          await chain.mine();
          const receipt = (await rpc.request('eth_getTransactionReceipt', [hash])) as RpcReceipt;
          for (const slug of ['node', 'eth']) {
            assertParts(await profileOf(service, slug, hash), receipt, rules, one);
          }
        }
      } finally {
        await service.stop();
        await proxy.close();
      }
    });
  }

  it('are the same from an independent node, from a replay, and on a fork', async () => {
    const { programs, cases: common } = cases('prague');
    const mainnet = await MainnetUpstream.start();
    const proxy = await UpstreamProxy.start(mainnet.url);
    proxy.fault = withoutTraces;
    const service = await startService({
      counted: true,
      config: config('prague', mainnet.url, proxy.url),
    });
    try {
      const { rpc } = mainnet;
      for (const wallet of [ALICE, BOB]) {
        await rpc.request('hardhat_setBalance', [wallet.address, toQuantity(10n ** 20n)]);
      }
      await prepare(rpc, 'hardhat', programs);
      const height = toQuantity(await mainnet.mine());
      const fork = await createFork(service, { chainId: 1, height, chain: 'node' });
      for (const one of [...common, ...pragueCases(programs)]) {
        await prepare(rpc, 'hardhat', programs);
        await mainnet.mine();
        const hash = await mainnet.send(ALICE, one.transaction);
        await mainnet.mine();
        const receipt = (await rpc.request('eth_getTransactionReceipt', [hash])) as RpcReceipt;
        for (const slug of ['node', 'eth']) {
          assertParts(await profileOf(service, slug, hash), receipt, 'prague', one);
        }
        if (one.transaction.type === 4) continue;
        const forked = await call(fork.rpc, 'eth_sendTransaction', asSent(one.transaction));
        const forkReceipt = await call<RpcReceipt>(fork.rpc, 'eth_getTransactionReceipt', forked);
        assertParts(await profileOf(service, fork.forkId, forked), forkReceipt, 'prague', one);
        await call(fork.rpc, 'evm_revert', fork.snapshotId);
      }
    } finally {
      await service.stop();
      await proxy.close();
      await mainnet.close();
    }
  });
});

/** One chain under two names: `node` with its traces, `eth` without. */
const config = (hardfork: RefundRules, node: string, withoutTraces: string): object => ({
  chains: [ethChain(node, { slug: 'node', hardfork }), ethChain(withoutTraces, { hardfork })],
  prices: { source: 'none' },
});

function asSent({ to, data, value, gasLimit, accessList }: TransactionLike): object {
  return {
    from: ALICE.address,
    ...(to ? { to } : {}),
    data: data ?? '0x',
    value: toQuantity(BigInt(value ?? 0)),
    gas: toQuantity(BigInt(gasLimit ?? 300_000)),
    ...(accessList ? { accessList } : {}),
  };
}
