import assert from 'node:assert/strict';
import type { NestedCall, Param } from '../../../../server/api/decoding';
import type { Event, Invocation } from '../../../../server/api/explorer';
import { NATIVE_ASSET } from '../../../../server/api/native-asset';
import type { Address } from '../../../../server/api/primitives';
import type { Traits } from '../../../../server/analysis/names/traits';
import type { TokenFacts } from '../../../../server/analysis/ports';
import { atOnce } from '../../../../server/kernel/async/slices';
import { UnitReader } from '../../../../server/analysis/units/unit-reader';
import { account } from '../../../support/analysis';

const [DOLLAR, WETH, PUNK, POOL, VAULT, ROUTER] = [1, 2, 3, 4, 5, 6].map((n) =>
  account(0x1000 + n),
) as [Address, Address, Address, Address, Address, Address];
const FACTS = new Map<Address, TokenFacts>([
  [DOLLAR, { symbol: 'hUSD', decimals: 6 }],
  [WETH, { symbol: 'WETH', decimals: 18 }],
  [VAULT, { symbol: 'vUSD', decimals: 8 }],
  [PUNK, { symbol: 'PUNK', decimals: 0 }],
]);
const TRAITS = new Map<Address, Traits>([
  [POOL, { pool: { kind: 'pair', token0: DOLLAR, token1: WETH } }],
  [VAULT, { asset: DOLLAR }],
]);
const MAX = String(2n ** 256n - 1n);

/** Parameters of a signature; JSON for arrays and tuples. */
function paramsOf(signature: string, values: string[]): Param[] {
  let depth = 0;
  const types: string[] = [];
  let type = '';
  for (const character of signature.slice(signature.indexOf('(') + 1, -1)) {
    if (character === '(') depth++;
    if (character === ')') depth--;
    if (character === ',' && depth === 0) {
      types.push(type);
      type = '';
    } else type += character;
  }
  types.push(type);
  return values.map((value, index) => ({ name: '', type: types[index] ?? 'uint256', value }));
}

const reader = () =>
  new UnitReader({
    traits: TRAITS,
    collectibles: new Set([PUNK]),
    isWrapper: (token) => token === WETH,
  });

interface Made {
  to?: Address;
  operation?: string;
  returns?: string[];
  nested?: NestedCall[];
}

/** The readings of a call's arguments and results. */
function readings(signature: string, values: string[], made: Made = {}) {
  const { to = ROUTER, operation = 'CALL', returns = [], nested } = made;
  const callParams = paramsOf(signature, values);
  if (nested) callParams[0]!.nested = nested;
  const returnParams = returns.map((value): Param => ({
    name: '',
    type: value.startsWith('[') ? 'uint256[]' : 'uint256',
    value,
  }));
  const call = {
    operation,
    fromAddress: operation === 'DELEGATECALL' ? to : account(0xa11),
    address: operation === 'DELEGATECALL' ? account(0x1) : to,
    decodedMethod: { name: '', signature, callParams, returnParams, constructorArguments: '' },
  } as unknown as Invocation;
  const units = reader();
  units.call(call);
  atOnce(units.writeWork(FACTS, 'ETH'));
  return [...callParams, ...returnParams].flatMap(({ readings: found = [] }, index) =>
    found.map(
      ({ path, amount, symbol, time }) =>
        `${index}${path}: ${amount === undefined ? time : `${amount} ${symbol ?? '?'}`}`,
    ),
  );
}

function eventReadings(signature: string, contract: Address, values: string[]) {
  const params = paramsOf(signature, values);
  const units = reader();
  units.event({ contract, decodedLog: { name: '', signature, params } } as unknown as Event);
  atOnce(units.writeWork(FACTS, 'ETH'));
  return params.flatMap(({ readings: found = [] }, index) =>
    found.map(({ amount, symbol, time }) => `${index}: ${amount ?? time} ${symbol ?? ''}`),
  );
}

describe('UnitReader', () => {
  it('reads amounts of the called token', () => {
    const to = DOLLAR;
    assert.deepEqual(readings('transfer(address,uint256)', [ROUTER, '2000000000'], { to }), [
      '1: 2000 hUSD',
    ]);
    assert.deepEqual(readings('balanceOf(address)', [ROUTER], { to, returns: ['1'] }), [
      '1: 0.000001 hUSD',
    ]);
    assert.deepEqual(readings('approve(address,uint256)', [ROUTER, MAX], { to }), ['1: max hUSD']);
  });

  it('reads those of a proxy at the proxy, not at its implementation', () => {
    const made = { to: DOLLAR, operation: 'DELEGATECALL' };
    assert.deepEqual(readings('transfer(address,uint256)', [ROUTER, '5000000'], made), [
      '1: 5 hUSD',
    ]);
  });

  it('reads no ids of collectibles, and nothing of an account without decimals', () => {
    const call = ['transferFrom(address,address,uint256)', [ROUTER, POOL, '7']] as const;
    assert.deepEqual(readings(call[0], [...call[1]], { to: PUNK }), []);
    assert.deepEqual(readings(call[0], [...call[1]], { to: account(0x99) }), []);
  });

  it('reads withdraw(uint256) of a wrapped native token only', () => {
    assert.deepEqual(readings('withdraw(uint256)', [String(10n ** 18n)], { to: WETH }), [
      '0: 1 WETH',
    ]);
    assert.deepEqual(readings('withdraw(uint256)', ['12'], { to: DOLLAR }), []);
  });

  it("reads a router's amounts by its path, and its deadline", () => {
    const path = JSON.stringify([DOLLAR, WETH]);
    const amounts = JSON.stringify(['1000000', '500000000000000000']);
    assert.deepEqual(
      readings(
        'swapExactTokensForTokens(uint256,uint256,address[],address,uint256)',
        ['1000000', '500000000000000000', path, POOL, '1769860800'],
        { returns: [amounts] },
      ),
      ['0: 1 hUSD', '1: 0.5 WETH', '4: 2026-01-31T12:00:00Z', '5[0]: 1 hUSD', '5[1]: 0.5 WETH'],
    );
  });

  it('reads tuples with and without names of components', () => {
    const signature =
      'exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))';
    const values = [DOLLAR, WETH, '500', POOL, '1769860800', '3000000', '1', '0'];
    const names = ['tokenIn', 'tokenOut', 'fee', 'recipient', 'deadline', 'amountIn', 'min', 'x'];
    const named = Object.fromEntries(names.map((name, index) => [name, values[index]]));
    assert.deepEqual(readings(signature, [JSON.stringify(named)]), [
      '0deadline: 2026-01-31T12:00:00Z',
      '0amountIn: 3 hUSD',
      '0min: 0.000000000000000001 WETH',
    ]);
    assert.deepEqual(readings(signature, [JSON.stringify(values)]), [
      '0[4]: 2026-01-31T12:00:00Z',
      '0[5]: 3 hUSD',
      '0[6]: 0.000000000000000001 WETH',
    ]);
  });

  it("reads packed paths, and the router's balance sign as a plain number", () => {
    const path = `0x${WETH.slice(2)}0001f4${DOLLAR.slice(2)}`;
    const signature = 'V3_SWAP_EXACT_IN(address,uint256,uint256,bytes,bool)';
    const command = (amount: string): NestedCall => ({
      path: '[0]',
      to: '',
      value: '',
      name: 'V3_SWAP_EXACT_IN',
      signature,
      callParams: paramsOf(signature, [POOL, amount, '1000000', path, 'true']),
    });
    const nested = [command('1000000000000000000'), command(String(2n ** 255n))];
    readings('execute(bytes,bytes[],uint256)', ['0x0000', '[]', '1'], { nested });
    const found = nested.map(({ callParams }) =>
      callParams.flatMap(({ readings: all = [] }) =>
        all.map(({ amount, symbol }) => `${amount} ${symbol}`),
      ),
    );
    assert.deepEqual(found, [['1 WETH', '1 hUSD'], ['1 hUSD']]);
  });

  it('reads reserves, swaps and vaults by what the contracts answer', () => {
    const reserves = { to: POOL, returns: ['7000000', '2000000000000000000', '1769860800'] };
    assert.deepEqual(readings('getReserves()', [], reserves), [
      '0: 7 hUSD',
      '1: 2 WETH',
      '2: 2026-01-31T12:00:00Z',
    ]);
    assert.deepEqual(readings('getReserves()', [], { ...reserves, to: ROUTER }), [
      '2: 2026-01-31T12:00:00Z',
    ]);
    assert.deepEqual(
      readings('deposit(uint256,address)', ['1000000', POOL], { to: VAULT, returns: ['90000000'] }),
      ['0: 1 hUSD', '2: 0.9 vUSD'],
    );
    assert.deepEqual(readings('deposit(uint256,address)', ['1000000', POOL], { to: DOLLAR }), []);
    assert.deepEqual(
      eventReadings('Swap(address,address,int256,int256,uint160,uint128,int24)', POOL, [
        ROUTER,
        ROUTER,
        '-1500000',
        '20000000000000000',
        '1',
        '1',
        '1',
      ]),
      ['2: -1.5 hUSD', '3: 0.02 WETH'],
    );
  });

  it('reads events of tokens and pools that name a token', () => {
    assert.deepEqual(
      eventReadings('Transfer(address,address,uint256)', DOLLAR, [ROUTER, POOL, '1']),
      ['2: 0.000001 hUSD'],
    );
    assert.deepEqual(
      eventReadings('Transfer(address,address,uint256)', PUNK, [ROUTER, POOL, '1']),
      [],
    );
    assert.deepEqual(
      eventReadings('Withdraw(address,address,address,uint256)', ROUTER, [
        DOLLAR,
        POOL,
        POOL,
        '1000000',
      ]),
      ['3: 1 hUSD'],
    );
  });

  it('reads the zero address as the native asset, and times only within reason', () => {
    const native = `0x${'0'.repeat(40)}`;
    const units = reader();
    const params = paramsOf('SWEEP(address,address,uint256)', [native, POOL, '5']);
    const call = {
      path: '',
      to: '',
      value: '',
      name: '',
      signature: 'SWEEP(address,address,uint256)',
      callParams: params,
    };
    const outer = [{ name: '', type: 'bytes', value: '0x', nested: [call] }];
    units.call({
      operation: 'CALL',
      fromAddress: POOL,
      address: ROUTER,
      decodedMethod: { signature: 'x()', callParams: outer, returnParams: [] },
    } as unknown as Invocation);
    assert.deepEqual([...units.tokens], []);
    atOnce(units.writeWork(new Map(), 'ETH'));
    assert.deepEqual(params[2]?.readings, [
      { path: '', asset: NATIVE_ASSET, symbol: 'ETH', amount: '0.000000000000000005' },
    ]);
    const deadline = (time: string) =>
      readings('execute(bytes,bytes[],uint256)', ['0x', '[]', time]);
    assert.deepEqual(deadline('12'), []);
    assert.deepEqual(deadline(MAX), ['2: max']);
    assert.deepEqual(deadline('1769860800'), ['2: 2026-01-31T12:00:00Z']);
  });

  it('leaves values alone that are no numbers, too long or malformed', () => {
    const signature = 'getAmountsOut(uint256,address[])';
    assert.deepEqual(readings(signature, ['1', 'no json']), []);
    assert.deepEqual(readings(signature, ['-', JSON.stringify([DOLLAR])]), []);
    const long = JSON.stringify(Array.from({ length: 3_000 }, () => DOLLAR));
    assert.deepEqual(readings(signature, ['1', long]), []);
    assert.deepEqual(readings('toString(address)', ['1']), []);
  });

  it('believes no token with more decimals than people read', () => {
    const params = paramsOf('transfer(address,uint256)', [POOL, '5']);
    const units = reader();
    units.call({
      operation: 'CALL',
      fromAddress: POOL,
      address: account(0x77),
      decodedMethod: {
        signature: 'transfer(address,uint256)',
        callParams: params,
        returnParams: [],
      },
    } as unknown as Invocation);
    assert.deepEqual([...units.tokens], [account(0x77)]);
    atOnce(units.writeWork(new Map([[account(0x77), { symbol: 'X', decimals: 255 }]]), 'ETH'));
    assert.equal(params[1]?.readings, undefined);
  });
});
