import assert from 'node:assert/strict';
import { AbiCoder, Interface } from 'ethers';
import { tokenBalances } from '../../../../server/chains/explorer/token-balances';
import type { TokenFacts } from '../../../../server/analysis/ports';
import type { Address, Hex } from '../../../../server/api/primitives';
import { account, network } from '../../../support/analysis';
import { ScriptedRpc } from '../../../support/scripted-rpc';

const OWNER = account(0xa11ce);
const [GOLD, WOOD, NFT, VAULT, BROKEN] = [1, 2, 3, 4, 5].map((digit) => account(digit)) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];
const MULTICALL = '0xca11bde05977b3631167028862be2a173976ca11';
const BATCH = new Interface([
  'function aggregate3((address target, bool allowFailure, bytes callData)[]) view returns ((bool success, bytes returnData)[])',
]);
const word = (value: bigint): string => AbiCoder.defaultAbiCoder().encode(['uint256'], [value]);

const BALANCES: Record<Address, bigint> = { [GOLD]: 1_250n, [NFT]: 3n, [VAULT]: 9n };
const FACTS: Record<Address, TokenFacts> = {
  [GOLD]: { symbol: 'GOLD', decimals: 2 },
  [NFT]: { symbol: 'PASS' },
  [VAULT]: {},
};

function balanceOf(token: Address, data: Hex): string {
  assert.equal(data, `0x70a08231${OWNER.slice(2).padStart(64, '0')}`);
  if (token === BROKEN) throw new Error('execution reverted');
  return word(BALANCES[token] ?? 0n);
}

interface Scene {
  listed?: Address[];
  given?: Address[];
  labels?: Record<Address, string>;
  multicall?: string;
}

async function read({ listed = [], given = [], labels = {}, multicall = '0x' }: Scene) {
  const rpc = new ScriptedRpc({
    eth_getCode: () => multicall,
    eth_call: ({ to, data }: { to: Address; data: Hex }, block: string) => {
      assert.equal(block, '0x64');
      if (to !== MULTICALL) return balanceOf(to, data);
      const [calls] = BATCH.decodeFunctionData('aggregate3', data) as unknown as [
        { target: string; callData: Hex }[],
      ];
      const results = calls.map(({ target, callData }) => {
        try {
          return [true, balanceOf(target.toLowerCase() as Address, callData)];
        } catch {
          return [false, '0x'];
        }
      });
      return BATCH.encodeFunctionResult('aggregate3', [results]);
    },
  });
  const answer = await tokenBalances(
    network(rpc, { labels }),
    OWNER,
    given,
    { number: '0x64' },
    {
      listed: () => Promise.resolve(listed),
      tokens: {
        factsOf: (_on, tokens, block) => {
          assert.equal(block, 100n);
          return Promise.resolve(new Map(tokens.map((token) => [token, FACTS[token] ?? {}])));
        },
      },
    },
    new AbortController().signal,
  );
  return { ...answer, calls: rpc.methods() };
}

const gold = { token: GOLD, symbol: 'GOLD', decimals: 2, rawAmount: '1250', amount: '12.5' };
const pass = { token: NFT, symbol: 'PASS', rawAmount: '3', amount: '' };

describe('balances of tokens', () => {
  it('are those of listed, labelled and given contracts, without zeros and without what is no token', async () => {
    const found = await read({
      listed: [GOLD, WOOD],
      labels: { [NFT]: 'pass', [OWNER]: 'owner' },
      given: [VAULT, GOLD, BROKEN],
    });
    assert.deepEqual(found.balances, [{ ...gold, isListed: true }, pass]);
    assert.equal(found.asked, 5);
    assert.equal(found.unanswered, 1);
    assert.deepEqual(found.calls, ['eth_getCode', ...Array<string>(5).fill('eth_call')]);
  });

  it('are asked by Multicall3 where the chain has it: 200 listed tokens in a call', async () => {
    const many = Array.from({ length: 399 }, (_, index) => account(0x1000 + index));
    const found = await read({ listed: [...many, GOLD, BROKEN], given: [NFT], multicall: '0x60' });
    assert.deepEqual(found.balances, [{ ...gold, isListed: true }, pass]);
    assert.equal(found.asked, 402);
    assert.equal(found.unanswered, 1);
    assert.deepEqual(found.calls, ['eth_getCode', ...Array<string>(4).fill('eth_call')]);
  });

  it('are bounded: without Multicall3 50 listed tokens are asked, and with it 1,000', async () => {
    const many = Array.from({ length: 1_200 }, (_, index) => account(0x1000 + index));
    assert.equal((await read({ listed: many, given: many })).asked, 50);
    assert.equal((await read({ listed: many, multicall: '0x60' })).asked, 1_000);
    const given = await read({ given: many });
    assert.equal(given.asked, 50);
    assert.equal(given.calls.length, 50);
  });

  it('are none on a chain of which nothing is known', async () => {
    const found = await read({});
    assert.deepEqual(found, { balances: [], asked: 0, unanswered: 0, calls: [] });
  });

  it('leave out zero address and answers that are no number', async () => {
    const zero: Address = `0x${'0'.repeat(40)}`;
    const found = await read({ listed: [zero, WOOD] });
    assert.equal(found.asked, 1);
    assert.deepEqual(found.balances, []);
  });
});
