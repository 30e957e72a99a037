import assert from 'node:assert/strict';
import { AbiCoder, Interface, concat, solidityPacked, type FunctionFragment } from 'ethers';
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
