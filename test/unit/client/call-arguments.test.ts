import assert from 'node:assert/strict';
import { encodeFunctionData } from 'viem';
import type { InvocationFlow, Param } from '../../../server/api/explorer';
import { parseSignature } from '../../../server/client/abi-signature';
import { argumentsOf, isDecoded } from '../../../server/client/call-arguments';
import type { TransactionCall } from '../../../server/client/transaction-call';
import { fixture, invocation } from '../../ui-components/fixtures';

const SPENDER = `0x${'d'.repeat(40)}` as const;

function scene(
  signature: string,
  callParams: Param[],
  args: readonly unknown[],
): { flow: Pick<InvocationFlow, 'dataMap'>; call: TransactionCall } {
  const name = signature.split('(')[0]!;
  const decodedMethod = {
    name,
    signature,
    callParams,
    returnParams: [],
    constructorArguments: '',
    source: 'sourcify' as const,
  };
  const item = parseSignature(signature, 'function');
  assert.ok(item?.type === 'function');
  const data = encodeFunctionData({ abi: [item], functionName: name, args });
  return {
    flow: { dataMap: { 0: { nodeType: 0, invocation: invocation({ decodedMethod }) } } },
    call: { from: SPENDER, to: SPENDER, value: 0n, data, gas: undefined },
  };
}

describe('client: arguments of a call', () => {
  const amount: Param = {
    name: 'value',
    type: 'uint256',
    value: '1500000',
    readings: [{ path: '', asset: SPENDER, symbol: 'hUSD', amount: '1.5' }],
  };
  const approval = scene(
    'approve(address,uint256)',
    [{ name: 'spender', type: 'address', value: SPENDER }, amount],
    [SPENDER, 1_500_000n],
  );

  it('have their names, types and values, amounts in units', () => {
    const rules = argumentsOf(approval.flow);
    assert.deepEqual(
      rules.map(({ label, type, text }) => [label, type, text(approval.call)]),
      [
        ['spender', 'address', SPENDER],
        ['value', 'uint256', '1.5 hUSD'],
      ],
    );
    assert.ok(isDecoded(approval.call, rules));
  });

  it('change the data, in units or in the smallest one', () => {
    const [, value] = argumentsOf(approval.flow);
    const { call } = approval;
    assert.equal(value!.text(value!.change(call, '2,000.25 hUSD')!), '2000.25 hUSD');
    assert.equal(value!.text(value!.change(call, '7')!), '0.000007 hUSD');
    assert.equal(value!.change(call, '1.23456789 hUSD'), undefined);
    assert.equal(value!.change(call, 'much'), undefined);
  });

  it('are JSON where they are lists', () => {
    const { flow, call } = scene(
      'pay(uint256[],bool)',
      [
        { name: '', type: 'uint256[]', value: '[1, 2]' },
        { name: 'now', type: 'bool', value: 'true' },
      ],
      [[1n, 2n], true],
    );
    const [list, flag] = argumentsOf(flow);
    assert.deepEqual(
      [list!.label, list!.text(call), flag!.text(call)],
      ['#1', '["1","2"]', 'true'],
    );
    const changed = flag!.change(list!.change(call, '[3]')!, 'false')!;
    assert.deepEqual([list!.text(changed), flag!.text(changed)], ['["3"]', 'false']);
  });

  it('are marked where the method is guessed, and none in other data', () => {
    const rules = argumentsOf(approval.flow);
    assert.equal(isDecoded({ ...approval.call, data: `${approval.call.data}00` }, rules), false);
    assert.equal(isDecoded({ ...approval.call, data: '0x12345678' }, rules), false);
    const top = approval.flow.dataMap['0'];
    assert.ok(top?.nodeType === 0 && top.invocation.decodedMethod);
    top.invocation.decodedMethod.source = '4byte';
    assert.deepEqual(
      argumentsOf(approval.flow).map(({ label }) => label),
      ['spender?', 'value?'],
    );
    assert.deepEqual(argumentsOf({ dataMap: {} }), []);
    assert.ok(argumentsOf(fixture('swap').flow).length > 0);
  });
});
