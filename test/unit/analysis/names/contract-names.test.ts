import assert from 'node:assert/strict';
import { AbiCoder, id } from 'ethers';
import { contractNames } from '../../../../server/analysis/names/contract-names';
import { ContractTraits } from '../../../../server/analysis/names/traits';
import type { Contract, KnownName, TokenFacts } from '../../../../server/analysis/ports';
import type { Address, Hex } from '../../../../server/api/primitives';
import { account, BLOCK_HASH, network, word } from '../../../support/analysis';
import { ScriptedRpc } from '../../../support/scripted-rpc';

const [POOL, DOLLAR, WETH, FACTORY, PROXY, LOGIC] = [1, 2, 3, 4, 5, 6].map((n) =>
  account(0x1000_0000 + n),
) as [Address, Address, Address, Address, Address, Address];
const NEVER = new AbortController().signal;
const BLOCK = { number: 100n, hash: BLOCK_HASH };

const selector = (signature: string): Hex => id(signature).slice(0, 10) as Hex;
const codeWith = (...signatures: string[]): Hex =>
  `0x60${signatures.map((signature) => `63${selector(signature).slice(2)}`).join('')}`;
const PAIR_CODE = codeWith('token0()', 'token1()', 'factory()', 'getReserves()');
const V3_CODE = codeWith('token0()', 'token1()', 'factory()', 'fee()', 'slot0()');
const VAULT_CODE = codeWith('asset()', 'convertToShares(uint256)');
const ERC20_CODE = codeWith(
  'totalSupply()',
  'balanceOf(address)',
  'transfer(address,uint256)',
  'approve(address,uint256)',
  'transferFrom(address,address,uint256)',
  'allowance(address,address)',
);

/** A node whose contracts answer by address and selector. */
function node(answers: Record<Address, Record<string, string>>) {
  return new ScriptedRpc({
    eth_call: ({ to, data }: { to: Address; data: Hex }) => {
      const found = Object.entries(answers[to] ?? {}).find(([signature]) =>
        data.startsWith(selector(signature)),
      );
      if (!found) throw new Error('execution reverted');
      return found[1];
    },
  });
}

const traitsOf = (rpc: ScriptedRpc, contracts: Record<Address, Contract>) =>
  new ContractTraits().read(
    network(rpc),
    new Map(Object.entries(contracts) as [Address, Contract][]),
    BLOCK,
    NEVER,
  );

describe('ContractTraits', () => {
  const pair = { 'token0()': word(DOLLAR), 'token1()': word(WETH), 'factory()': word(FACTORY) };
  const is = { kind: 'pair', token0: DOLLAR, token1: WETH, factory: FACTORY } as const;

  it('reads the tokens of a pair, and whether its factory made it', async () => {
    const contracts = { [POOL]: { code: PAIR_CODE } };
    const made = { 'getPair(address,address)': word(POOL) };
    const confirmed = await traitsOf(node({ [POOL]: pair, [FACTORY]: made }), contracts);
    assert.deepEqual(confirmed.get(POOL), { pool: { ...is, isConfirmed: true } });
    const other = { 'getPair(address,address)': word(PROXY) };
    const denied = await traitsOf(node({ [POOL]: pair, [FACTORY]: other }), contracts);
    assert.deepEqual(denied.get(POOL), { pool: is });
  });

  it('reads the fee of a pool with ticks', async () => {
    const answers = { ...pair, 'fee()': word(500) };
    const made = { 'getPool(address,address,uint24)': word(POOL) };
    const rpc = node({ [POOL]: answers, [FACTORY]: made });
    const found = await traitsOf(rpc, { [POOL]: { code: V3_CODE } });
    assert.deepEqual(found.get(POOL), {
      pool: { ...is, kind: 'pool', fee: 500, isConfirmed: true },
    });
    const { params } = rpc.calls.at(-1)!;
    const types = ['address', 'address', 'uint24'];
    assert.equal(
      (params[0] as { data: Hex }).data,
      selector('getPool(address,address,uint24)') +
        AbiCoder.defaultAbiCoder().encode(types, [DOLLAR, WETH, 500]).slice(2),
    );
  });

  it('reads the asset of a vault behind a proxy', async () => {
    const contracts = {
      [PROXY]: { code: '0x60', implementation: LOGIC },
      [LOGIC]: { code: VAULT_CODE },
    };
    const rpc = node({ [PROXY]: { 'asset()': word(DOLLAR) } });
    const found = await traitsOf(rpc, contracts as Record<Address, Contract>);
    assert.deepEqual([...found], [[PROXY, { asset: DOLLAR }]]);
  });

  it('asks nobody without such functions, and believes no malformed answer', async () => {
    const rpc = node({ [POOL]: { 'token0()': word(DOLLAR), 'token1()': `0x${'ff'.repeat(32)}` } });
    assert.equal((await traitsOf(rpc, { [DOLLAR]: { code: ERC20_CODE } })).size, 0);
    assert.deepEqual(rpc.calls, []);
    assert.equal((await traitsOf(rpc, { [POOL]: { code: PAIR_CODE } })).size, 0);
    assert.equal((await traitsOf(node({}), { [POOL]: { code: PAIR_CODE } })).size, 0);
  });

  it('asks once per block', async () => {
    const rpc = node({ [POOL]: pair });
    const traits = new ContractTraits();
    const contracts = new Map<Address, Contract>([[POOL, { code: PAIR_CODE }]]);
    const first = await traits.read(network(rpc), contracts, BLOCK, NEVER);
    const { length } = rpc.calls;
    assert.deepEqual(await traits.read(network(rpc), contracts, BLOCK, NEVER), first);
    assert.equal(rpc.calls.length, length);
    await traits.read(network(rpc), contracts, { ...BLOCK, hash: word(1) }, NEVER);
    assert.ok(rpc.calls.length > length);
  });
});

describe('contractNames', () => {
  const TOKENS = new Map<Address, TokenFacts>([
    [DOLLAR, { symbol: 'USDC', decimals: 6 }],
    [WETH, { symbol: 'WETH', decimals: 18 }],
  ]);
  const listedAs = (name: string): KnownName => ({ name, source: 'a list' });
  function names(
    contracts: Record<Address, Contract>,
    { listed = {}, traits = {}, tokens = TOKENS }: Partial<Given> = {},
  ) {
    const found = contractNames({
      contracts: new Map(Object.entries(contracts) as [Address, Contract][]),
      tokens,
      listed: new Map(Object.entries(listed) as [Address, KnownName][]),
      traits: new Map(Object.entries(traits) as [Address, never][]),
    });
    return Object.fromEntries([...found].map(([address, { name }]) => [address, name]));
  }
  interface Given {
    listed: Record<Address, KnownName>;
    traits: Record<Address, object>;
    tokens: ReadonlyMap<Address, TokenFacts>;
  }
  const pool = { kind: 'pair', token0: DOLLAR, token1: WETH };

  it('names a pool by its tokens, in place of the name of its source and its symbol', () => {
    const contracts = { [POOL]: { code: PAIR_CODE, name: 'UniswapV2Pair' } };
    assert.deepEqual(names(contracts, { traits: { [POOL]: { pool } } }), {
      [POOL]: 'USDC/WETH pair',
    });
    const fee = { pool: { ...pool, kind: 'pool', fee: 500 } };
    assert.deepEqual(names(contracts, { traits: { [POOL]: fee }, tokens: new Map() }), {
      [POOL]: '0x0000…0002/0x0000…0003 0.05% pool',
    });
  });

  it('names the protocol of a pool only if its listed factory made it', () => {
    const contracts = { [POOL]: { code: PAIR_CODE } };
    const listed = { [FACTORY]: listedAs('Uniswap V2 Factory') };
    const claimed = { pool: { ...pool, factory: FACTORY } };
    const confirmed = { pool: { ...claimed.pool, isConfirmed: true } };
    assert.deepEqual(names(contracts, { listed, traits: { [POOL]: claimed } }), {
      [POOL]: 'USDC/WETH pair',
    });
    assert.deepEqual(names(contracts, { listed, traits: { [POOL]: confirmed } }), {
      [POOL]: 'Uniswap V2 USDC/WETH pair',
    });
  });

  it('keeps names of sources, and symbols of tokens', () => {
    const contracts = { [LOGIC]: { code: '0x60', name: 'Vault' }, [DOLLAR]: { code: ERC20_CODE } };
    const listed = { [LOGIC]: listedAs('Other'), [DOLLAR]: listedAs('Other') };
    assert.deepEqual(names(contracts as Record<Address, Contract>, { listed }), {});
  });

  it('names a proxy by its implementation, even if its own source has a name', () => {
    const logic = { [LOGIC]: { code: '0x60', name: 'Vault' } };
    const proxy = { code: '0x60', implementation: LOGIC } as const;
    assert.deepEqual(names({ ...logic, [PROXY]: proxy } as Record<Address, Contract>), {
      [PROXY]: 'Vault (proxy)',
    });
    const named = { ...proxy, name: 'ERC1967Proxy' };
    assert.deepEqual(names({ ...logic, [PROXY]: named } as Record<Address, Contract>), {
      [PROXY]: 'Vault (proxy)',
    });
    const own = { ...proxy, name: 'Wallet' };
    assert.deepEqual(names({ ...logic, [PROXY]: own } as Record<Address, Contract>), {});
  });

  it('names a Safe, standards and plain proxies, with their addresses', () => {
    const contracts = {
      [PROXY]: { code: '0x60', implementation: LOGIC },
      [LOGIC]: { code: '0x60' },
      [POOL]: { code: ERC20_CODE },
      [FACTORY]: { code: '0x61', implementation: WETH },
    } as Record<Address, Contract>;
    const listed = { [LOGIC]: listedAs('Safe 1.4.1') };
    assert.deepEqual(names(contracts, { listed }), {
      [PROXY]: 'Safe 0x0000…0005',
      [LOGIC]: 'Safe 1.4.1',
      [POOL]: 'ERC-20 0x0000…0001',
      [FACTORY]: 'proxy 0x0000…0004',
    });
  });

  it('tells contracts of equal names apart', () => {
    const traits = { [POOL]: { pool }, [FACTORY]: { pool } };
    const contracts = { [POOL]: { code: PAIR_CODE }, [FACTORY]: { code: PAIR_CODE } };
    assert.deepEqual(names(contracts as Record<Address, Contract>, { traits }), {
      [POOL]: 'USDC/WETH pair 0x0000…0001',
      [FACTORY]: 'USDC/WETH pair 0x0000…0004',
    });
  });

  it('names no account without code, and no delegating account', () => {
    const contracts = {
      [PROXY]: { code: `0xef0100${LOGIC.slice(2)}`, implementation: LOGIC },
      [POOL]: { code: '0x' },
      [FACTORY]: {},
    } as Record<Address, Contract>;
    const listed = { [POOL]: listedAs('Other'), [FACTORY]: listedAs('Other') };
    assert.deepEqual(names(contracts, { listed }), {});
  });
});
