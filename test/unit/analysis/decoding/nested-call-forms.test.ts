import assert from 'node:assert/strict';
import { Interface, type FunctionFragment } from 'ethers';
import type { AbiValues } from '../../../../server/analysis/abi-values/abi-reader';
import { NestedCalls } from '../../../../server/analysis/decoding/nested-calls';
import type { Address, Hex } from '../../../../server/api/primitives';
import { account } from '../../../support/analysis';
import { encode, known, paramsOf, TOKEN, transfer } from '../../../support/nested-calls';

describe('NestedCalls in unusual arguments', () => {
  /** Path, callee and ether of each call in one parameter. */
  const found = (item: string, args: readonly unknown[], index: number) =>
    paramsOf(item, args)[index]?.nested?.map(({ path, to, value }) => [path, to, value]);

  it('takes the last address before the bytes, and an amount only directly between the two', () => {
    const other = account(0x0dd);
    for (const [item, args, expected] of [
      ['address a, address b, uint256 c, bytes d', [other, TOKEN, 1n, transfer], [TOKEN, 1n]],
      ['address a, bytes d', [TOKEN, transfer], [TOKEN]],
      ['address a, uint256 b, uint256 c, bytes d', [TOKEN, 1n, 2n, transfer], [TOKEN]],
      ['address a, uint128 b, bytes d', [TOKEN, 1n, transfer], [TOKEN]],
      ['address a, uint256 nonce, bytes d', [TOKEN, 1n, transfer], [TOKEN]],
      ['address a, uint256 _nonce, bytes d', [TOKEN, 1n, transfer], [TOKEN]],
      ['uint256 nonce, address a, uint256 b, bytes d', [9n, TOKEN, 1n, transfer], [TOKEN, 1n]],
      ['uint256 a, bytes d', [1n, transfer], []],
    ] as const) {
      const [to = '', wei] = expected as readonly [Address?, bigint?];
      const value = wei === undefined ? '' : '0.000000000000000001';
      assert.deepEqual(
        found(`function f(${item})`, args, args.length - 1),
        [['', to, value]],
        item,
      );
    }
    assert.deepEqual(found('function f(bytes d, address a, uint256 b)', [transfer, TOKEN, 1n], 0), [
      ['', '', ''],
    ]);
  });

  it('takes lists of addresses and amounts that are as long as the list of bytes', () => {
    const item = 'function f(address[] a, uint256[] b, bytes[] d)';
    const data = [transfer, transfer];
    const to = [TOKEN, account(2)];
    const plain = ['0.000000000000000001', '0'];
    assert.deepEqual(found(item, [to, [1n, 0n], data], 2), [
      ['[0]', TOKEN, plain[0]],
      ['[1]', account(2), plain[1]],
    ]);
    assert.deepEqual(found(item, [to, [1n], data], 2), [
      ['[0]', TOKEN, ''],
      ['[1]', account(2), ''],
    ]);
    const none = [
      ['[0]', '', ''],
      ['[1]', '', ''],
    ];
    assert.deepEqual(found(item, [[TOKEN], [1n, 0n], data], 2), none);
    assert.deepEqual(found('function f(uint256[] b, bytes[] d)', [[1n, 0n], data], 1), none);
    const later = 'function f(bytes[] d, address[] a, uint256[] b)';
    assert.deepEqual(found(later, [data, to, [1n, 0n]], 0), none);
  });

  it('reads tuples, with and without names', () => {
    const named = 'function f((address to, uint256 value, bytes data) call)';
    const value = '0.000000000000000001';
    assert.deepEqual(found(named, [[TOKEN, 1n, transfer]], 0), [['data', TOKEN, value]]);
    const unnamed = 'function f((address, uint256, bytes)[] calls)';
    assert.deepEqual(found(unnamed, [[[TOKEN, 1n, transfer]]], 0), [['[0][2]', TOKEN, value]]);
    const inside = 'function f(((bytes data) inner, uint256 x) outer)';
    assert.deepEqual(found(inside, [[[transfer], 1n]], 0), [['inner.data', '', '']]);
  });

  it('reads no commands whose number differs from that of the inputs', () => {
    const item = 'function execute(bytes commands, bytes[] inputs)';
    assert.equal(found(item, ['0x0b0b', ['0x']], 1), undefined);
    assert.deepEqual(found(item, ['0x3f', ['0x']], 1), [['[0]', '', '']]);
  });

  it('lists calls of a proposal that it cannot decode', () => {
    const item =
      'function propose(address[] targets, uint256[] values, string[] signatures, bytes[] calldatas, string description)';
    const long = `f(${'uint256,'.repeat(200)}uint256)`;
    const signatures = ['', '', 'transfer(address,uint256)', long];
    const data = [transfer, '0x12', '0x12', `0x${'00'.repeat(32 * 201)}`];
    const to = [TOKEN, TOKEN, TOKEN, TOKEN];
    const [, , , calls] = paramsOf(item, [to, [0n, 0n, 0n, 0n], signatures, data, '']);
    assert.deepEqual(
      calls?.nested?.map(({ path, name, signature }) => [path, name, signature]),
      [
        ['[0]', 'transfer', 'transfer(address,uint256)'],
        ['[1]', '', ''],
        ['[2]', '', ''],
        ['[3]', '', ''],
      ],
    );
  });

  it('decodes up to 5,000 calls of a trace', () => {
    const pause = encode('function pause()', []);
    /** Numbers of calls in the arguments of several calls of one trace. */
    const counts = (...outer: (readonly [item: string, values: AbiValues, index: number])[]) => {
      const calls = new NestedCalls((selector) =>
        known.functions(selector).map((fragment) => ({ fragment, source: 'artifact' as const })),
      );
      return outer.map(([item, values, index]) => {
        const fragment = new Interface([item]).fragments[0] as FunctionFragment;
        return calls.params(fragment, values, TOKEN)[index]?.nested?.length ?? 0;
      });
    };
    const many = (count: number) =>
      ['function multicall(bytes[] data)', [Array<Hex>(count).fill(pause)], 0] as const;
    const routed = (count: number) =>
      [
        'function execute(bytes commands, bytes[] inputs)',
        [`0x${'3f'.repeat(count)}`, Array<Hex>(count).fill('0x')],
        1,
      ] as const;
    const proposed = (count: number) =>
      [
        'function propose(address[] a, uint256[] b, string[] c, bytes[] d, string e)',
        [[], [], Array<string>(count).fill('pause()'), Array<Hex>(count).fill('0x'), ''],
        3,
      ] as const;
    assert.deepEqual(
      counts(many(4_998), routed(3), routed(2), many(1), proposed(1)),
      [4_998, 0, 2, 0, 0],
    );
    assert.deepEqual(counts(many(4_997), proposed(2), many(2), many(1)), [4_997, 2, 1, 0]);
    assert.deepEqual(counts(many(4_999), proposed(2)), [4_999, 1]);
  });
});
