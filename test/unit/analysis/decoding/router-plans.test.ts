import assert from 'node:assert/strict';
import { AbiCoder, Interface, type FunctionFragment } from 'ethers';
import { NestedCalls } from '../../../../server/analysis/decoding/nested-calls';
import { decodeRevert } from '../../../../server/analysis/decoding/revert';
import type { NestedCall } from '../../../../server/api/decoding';
import type { Hex } from '../../../../server/api/primitives';

const coder = AbiCoder.defaultAbiCoder();
const TOKEN = `0x${'12'.repeat(20)}`;
const encode = (types: readonly string[], values: readonly unknown[]): string =>
  coder.encode(types, values);
const EXECUTE = 'function execute(bytes commands, bytes[] inputs)';
const POOL_KEY = '(address,address,uint24,int24,address)';
const KEY = [TOKEN, TOKEN, 3000, 60, TOKEN];

/** Commands of a route, or actions of a plan. */
function nested(item: string, values: readonly unknown[], index: number): NestedCall[] {
  const fragment = new Interface([item]).fragments[0] as FunctionFragment;
  const calls = new NestedCalls(() => []);
  return calls.params(fragment, values as never, null)[index]?.nested ?? [];
}
const route = (commands: string, ...inputs: string[]): NestedCall[] =>
  nested(EXECUTE, [commands, inputs], 1);
const names = (calls: readonly NestedCall[]): string[] => calls.map(({ name }) => name);

describe('plans of Uniswap', () => {
  it('have swaps with the inputs of their version', () => {
    const types = ['address', 'uint256', 'uint256', 'bytes', 'bool'];
    const values = [TOKEN, 5, 4, '0x1234', true];
    const [old, later] = route(
      '0x0080',
      encode(types, values),
      encode([...types, 'uint256[]'], [...values, [7]]),
    );
    assert.deepEqual([old?.name, old?.callParams.length], ['V3_SWAP_EXACT_IN', 5]);
    assert.deepEqual(
      [later?.name, later?.callParams.at(-1)],
      ['V3_SWAP_EXACT_IN', { name: 'minHopPriceX36', type: 'uint256[]', value: '["7"]' }],
    );
  });

  it('have bridges beyond the commands of the first routers', () => {
    const types =
      '(address,address,address,address,uint256,uint256,uint256,address,uint32,uint32,uint32,bytes,bool)';
    const values = [TOKEN, TOKEN, TOKEN, TOKEN, 1, 2, 10, TOKEN, 3, 4, 5, '0x', false];
    assert.deepEqual(names(route('0xc0', encode([types], [values]))), ['ACROSS_V4_DEPOSIT_V3']);
    assert.deepEqual(names(route('0x3f', '0x')), ['']);
  });

  it('have the command of the first router and that of later ones in the same byte', () => {
    assert.deepEqual(names(route('0x10', encode(['uint256', 'bytes'], [1, '0x12']))), ['SEAPORT']);
    const single = `(${POOL_KEY},bool,uint128,uint128,bytes)`;
    const priced = `(${POOL_KEY},bool,uint128,uint128,uint256,bytes)`;
    const [swap] = route(
      '0x10',
      encode(
        ['bytes', 'bytes[]'],
        [
          '0x06060c0f',
          [
            encode([single], [[KEY, true, 5, 4, '0x']]),
            encode([priced], [[KEY, true, 5, 4, 9, '0x']]),
            encode(['address', 'uint256'], [TOKEN, 5]),
            encode(['address', 'uint256'], [TOKEN, 4]),
          ],
        ],
      ),
    );
    const actions = swap?.callParams[1]?.nested ?? [];
    assert.deepEqual(names(actions), [
      'SWAP_EXACT_IN_SINGLE',
      'SWAP_EXACT_IN_SINGLE',
      'SETTLE_ALL',
      'TAKE_ALL',
    ]);
    assert.match(actions[1]?.callParams[0]?.value ?? '', /"minHopPriceX36":"9"/);
  });

  it('have calls of the position managers', () => {
    const permit = 'function permit(address spender, uint256 tokenId)';
    const manage = new Interface([permit]);
    const data = manage.encodeFunctionData('permit', [TOKEN, 7]);
    const calls = new NestedCalls((selector) => {
      const found = manage.getFunction(selector);
      return found === null ? [] : [{ fragment: found, source: 'built-in' as const }];
    });
    const fragment = new Interface([EXECUTE]).getFunction('execute')!;
    const steps = (commands: string, inputs: string[]): string[][] => {
      const [, param] = calls.params(fragment, [commands, inputs] as never, null);
      return (param?.nested ?? []).map(({ name, signature }) => [name, signature]);
    };
    const called = ['permit', 'permit(address,uint256)'];
    assert.deepEqual(steps('0x111214', [data, data, data]), [called, called, called]);
    assert.deepEqual(steps('0x111214', ['0x', '0x12345678', '0x']), [
      ['V3_POSITION_MANAGER_PERMIT', ''],
      ['V3_POSITION_MANAGER_CALL', ''],
      ['V4_POSITION_MANAGER_CALL', ''],
    ]);
    // With the bit that lets a command fail.
    assert.deepEqual(steps('0x91', ['0x']), [['V3_POSITION_MANAGER_PERMIT', '']]);
  });

  it('have the pool that they initialize, checks of balances, and parts in full precision', () => {
    const [pool, check, part] = route(
      '0x130e07',
      encode([POOL_KEY, 'uint160'], [KEY, 1n << 96n]),
      encode(['address', 'address', 'uint256'], [TOKEN, TOKEN, 3]),
      encode(['address', 'address', 'uint256'], [TOKEN, TOKEN, 9]),
    );
    assert.deepEqual(
      [pool?.name, pool?.callParams[1]?.value],
      ['V4_INITIALIZE_POOL', String(1n << 96n)],
    );
    assert.deepEqual(
      [check?.name, check?.callParams[2]?.name],
      ['BALANCE_CHECK_ERC20', 'minBalance'],
    );
    assert.deepEqual(
      [part?.name, part?.callParams[2]?.name],
      ['PAY_PORTION_FULL_PRECISION', 'portion'],
    );
  });

  it('have plans inside plans, and actions of the position manager', () => {
    const wrap = encode(['address', 'uint256'], [TOKEN, 1]);
    const [plan] = route('0x21', encode(['bytes', 'bytes[]'], ['0x0b', [wrap]]));
    assert.deepEqual(names(plan?.callParams[1]?.nested ?? []), ['WRAP_ETH']);
    const item = 'function modifyLiquidities(bytes unlockData, uint256 deadline)';
    const data = encode(['bytes', 'bytes[]'], ['0x12', [encode(['address'], [TOKEN])]]);
    assert.deepEqual(names(nested(item, [data, 1n], 0)), ['CLOSE_CURRENCY']);
  });
});

describe('errors that hold errors', () => {
  const inner = new Interface(['error Error(string)']).encodeErrorResult('Error', ['too low']);

  it('say why the inner call failed', () => {
    const entry = new Interface(['error FailedOpWithRevert(uint256,string,bytes)']);
    const failed = entry.encodeErrorResult('FailedOpWithRevert', [0, 'AA23 reverted', inner]);
    assert.equal(
      decodeRevert(failed as Hex, () => []),
      `FailedOpWithRevert(opIndex: 0, reason: AA23 reverted, inner: ${inner} (too low))`,
    );
    const wrapped = new Interface(['error WrappedError(address,bytes4,bytes,bytes)']);
    const data = wrapped.encodeErrorResult('WrappedError', [TOKEN, '0x12345678', failed, '0x']);
    assert.match(
      decodeRevert(data as Hex, () => []) ?? '',
      /reason: 0x[0-9a-f]+ \(FailedOp.*too low\)\)/,
    );
  });
});
