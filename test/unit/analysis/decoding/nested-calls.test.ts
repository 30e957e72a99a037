import assert from 'node:assert/strict';
import { AbiCoder, Interface, concat, solidityPacked, type FunctionFragment } from 'ethers';
import type { AbiValues } from '../../../../server/analysis/abi-values/abi-reader';
import { decodeExactly } from '../../../../server/analysis/abi-values/codec';
import { NestedCalls } from '../../../../server/analysis/decoding/nested-calls';
import { packedTransactions } from '../../../../server/analysis/decoding/multi-send';
import type { NestedCall, Param } from '../../../../server/api/decoding';
import type { Address, Hex } from '../../../../server/api/primitives';
import { abi, account } from '../../../support/analysis';

const TRANSFER = 'function transfer(address to, uint256 value)';
const known = abi(
  TRANSFER,
  'function multicall(bytes[] data)',
  'function pause()',
  'function execute(address to, uint256 value, bytes data)',
);
const TOKEN = account(0x70cc);

const encode = (item: string, args: readonly unknown[]): Hex => {
  const one = new Interface([item]);
  return one.encodeFunctionData(one.fragments[0] as FunctionFragment, args) as Hex;
};
const transfer = encode(TRANSFER, [account(0xc), 5n]);

/** Parameters of a call to account b; `asked` receives the callees that were looked up. */
function paramsOf(item: string, args: readonly unknown[], asked: (Address | null)[] = []): Param[] {
  const fragment = new Interface([item]).fragments[0] as FunctionFragment;
  const encoded = AbiCoder.defaultAbiCoder().encode(fragment.inputs, args) as Hex;
  const values = decodeExactly(fragment.inputs, encoded);
  assert.ok(values);
  const calls = new NestedCalls((selector, to) => {
    asked.push(to);
    return known.functions(selector).map((one) => ({ fragment: one, source: 'artifact' as const }));
  });
  return calls.params(fragment, values, account(0xb0b));
}

const transferCall = (facts: Partial<NestedCall>): NestedCall => ({
  path: '',
  to: '',
  value: '',
  name: 'transfer',
  signature: 'transfer(address,uint256)',
  callParams: [
    { name: 'to', type: 'address', value: account(0xc) },
    { name: 'value', type: 'uint256', value: '5' },
  ],
  source: 'artifact',
  ...facts,
});

describe('NestedCalls', () => {
  it('reads a multicall as calls of the callee', () => {
    const asked: (Address | null)[] = [];
    const item = 'function multicall(bytes[] data)';
    const [data] = paramsOf(item, [[transfer, '0x', encode('function pause()', [])]], asked);
    assert.deepEqual(data?.nested, [
      transferCall({ path: '[0]' }),
      {
        path: '[2]',
        to: '',
        value: '',
        name: 'pause',
        signature: 'pause()',
        callParams: [],
        source: 'artifact',
      },
    ]);
    assert.deepEqual(asked, [account(0xb0b), account(0xb0b)]);
  });

  it('finds callee and ether of a multi-signature account’s call', () => {
    const item =
      'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures)';
    const signatures = `0x${'ab'.repeat(65)}`;
    const asked: (Address | null)[] = [];
    const params = paramsOf(
      item,
      [TOKEN, 10n ** 18n, transfer, 0, 0, 0, 0, account(0), account(0), signatures],
      asked,
    );
    assert.deepEqual(params[2]?.nested, [transferCall({ to: TOKEN, value: '1' })]);
    assert.equal('nested' in params[9]!, false);
    assert.deepEqual(asked, [TOKEN]);
  });

  it('reads the packed transactions of multiSend, including those that cannot be decoded', () => {
    const pack = (to: Address, value: bigint, data: Hex) =>
      solidityPacked(
        ['uint8', 'address', 'uint256', 'uint256', 'bytes'],
        [0, to, value, (data.length - 2) / 2, data],
      );
    const packed = concat([pack(TOKEN, 0n, transfer), pack(account(0xe), 1n, '0x')]) as Hex;
    const [param] = paramsOf('function multiSend(bytes transactions)', [packed]);
    assert.deepEqual(param?.nested, [
      transferCall({ path: '[0]', to: TOKEN, value: '0' }),
      {
        path: '[1]',
        to: account(0xe),
        value: '0.000000000000000001',
        name: '',
        signature: '',
        callParams: [],
      },
    ]);
    assert.deepEqual(packedTransactions(`${packed}00`), []);
    assert.deepEqual(packedTransactions(packed.slice(0, -2) as Hex), []);
    assert.deepEqual(packedTransactions(`0x00${'11'.repeat(20)}${'ff'.repeat(64)}`), []);
  });

  it('names the commands of a universal router', () => {
    const item = 'function execute(bytes commands, bytes[] inputs, uint256 deadline)';
    const input = AbiCoder.defaultAbiCoder().encode(['address', 'uint256'], [account(0xc), 7n]);
    const [, inputs] = paramsOf(item, ['0x8b0b3f', [input, '0x12', '0x'], 1n]);
    assert.deepEqual(
      inputs?.nested?.map(({ path, name, signature, callParams }) => [
        path,
        name,
        signature,
        callParams.map(({ value }) => value),
      ]),
      [
        ['[0]', 'WRAP_ETH', 'WRAP_ETH(address,uint256)', [account(0xc), '7']],
        ['[1]', 'WRAP_ETH', '', []],
        ['[2]', '', '', []],
      ],
    );
  });

  it('reads user operations: the sender’s call and the factory’s call', () => {
    const item =
      'function handleOps((address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature)[] ops, address beneficiary)';
    const word = `0x${'00'.repeat(32)}`;
    const callData = encode('function execute(address to, uint256 value, bytes data)', [
      TOKEN,
      0n,
      transfer,
    ]);
    const initCode = concat([account(0xfac), encode('function pause()', [])]);
    const [ops] = paramsOf(item, [
      [[account(0x5e), 1n, initCode, callData, word, 0n, word, '0x', '0x']],
      account(0xbe),
    ]);
    const [create, execute] = ops?.nested ?? [];
    assert.deepEqual(
      [create?.path, create?.to, create?.name],
      ['[0].initCode', account(0xfac), 'pause'],
    );
    assert.deepEqual(
      [execute?.path, execute?.to, execute?.value, execute?.name],
      ['[0].callData', account(0x5e), '', 'execute'],
    );
    assert.deepEqual(execute?.callParams[2]?.nested, [transferCall({ to: TOKEN, value: '0' })]);
  });

  it('reads proposals of both kinds of governors', () => {
    const [, , calldatas] = paramsOf(
      'function propose(address[] targets, uint256[] values, bytes[] calldatas, string description)',
      [[TOKEN, account(2)], [1n, 0n], [transfer, '0x'], 'text'],
    );
    assert.deepEqual(calldatas?.nested, [
      transferCall({ path: '[0]', to: TOKEN, value: '0.000000000000000001' }),
    ]);
    const [, , , bySignature] = paramsOf(
      'function propose(address[] targets, uint256[] values, string[] signatures, bytes[] calldatas, string description)',
      [
        [TOKEN, TOKEN, TOKEN],
        [0n, 0n, 0n],
        ['transfer(address,uint256)', '_setFee(uint256)', 'broken('],
        [`0x${transfer.slice(10)}`, `0x${transfer.slice(74)}`, '0x'],
        'text',
      ],
    );
    assert.deepEqual(
      bySignature?.nested?.map(({ signature, source }) => [signature, source]),
      [
        ['transfer(address,uint256)', 'artifact'],
        ['_setFee(uint256)', 'built-in'],
        ['', undefined],
      ],
    );
  });

  it('rejects calls that do not re-encode to the same bytes', () => {
    for (const data of [
      `${transfer}00`,
      transfer.slice(0, -2),
      `${transfer.slice(0, 10)}${'ff'.repeat(64)}`,
    ]) {
      const params = paramsOf('function f(bytes data)', [data]);
      assert.equal('nested' in params[0]!, false, data);
    }
  });

  it('decodes four levels of nested calls, and no more', () => {
    let data = transfer;
    for (let depth = 0; depth < 8; depth++)
      data = encode('function multicall(bytes[] data)', [[data]]);
    let [param] = paramsOf('function multicall(bytes[] data)', [[data]]);
    let depth = 0;
    while (param?.nested) {
      depth++;
      param = param.nested[0]?.callParams[0];
    }
    assert.equal(depth, 4);
  });
});

describe('packedTransactions', () => {
  const one = `${'00'.repeat(21)}${'00'.repeat(64)}`;
  const packed = (count: number): Hex => `0x${one.repeat(count)}`;

  it('reads up to 1,000 transactions', () => {
    assert.equal(packedTransactions(packed(1_000)).length, 1_000);
    assert.deepEqual(packedTransactions(packed(1_001)), []);
    assert.deepEqual(packedTransactions('0x'), []);
  });
});

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
