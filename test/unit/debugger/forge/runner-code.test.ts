import assert from 'node:assert/strict';
import { runnerCode } from '../../../../server/debugger/forge/runner-code';
import type { ForgeCall, NamedTest } from '../../../../server/debugger/forge/forge-output';

const TESTED = `0x${'7f'.repeat(20)}`;
const COUNTER = `0x${'56'.repeat(20)}`;

function call(kind: ForgeCall['trace']['kind'], address: string, data: string): ForgeCall {
  return {
    children: [],
    logs: [],
    ordering: [],
    trace: {
      success: true,
      caller: TESTED,
      address,
      kind,
      value: '0x0',
      data,
      output: '0x',
      gas_used: 0,
      gas_limit: 0,
      status: null,
      steps: 0,
    },
  };
}

const add = {
  addr: COUNTER,
  calldata: '0x1003e2d2',
  contract_name: 'test/Calls.t.sol:Counter',
  func_name: 'add',
  raw_args: '7',
};

describe('the text of what forge executed', () => {
  const calls = [
    call('CREATE', COUNTER, '0x00'),
    call('CREATE', TESTED, '0x00'),
    call('CALL', TESTED, '0x0a9254e4'),
    call('CALL', COUNTER, add.calldata),
    call('CALL', COUNTER, '0xdeadbeef'),
    call('CALL', TESTED, '0xc716534d'),
  ];
  const kinds = ['Deployment', 'Deployment', 'Setup', 'Execution', 'Execution', 'Execution'];
  const named: NamedTest = {
    contract: 'test/Calls.t.sol:CounterTest',
    name: 'invariant_small()',
    test: {
      status: 'Failure',
      reason: null,
      labeled_addresses: { [COUNTER]: 'counter' },
      counterexample: [add],
      traces: calls.map((one, index) => [kinds[index]!, { arena: [one] }]),
    },
  };
  const { code, program } = runnerCode(named, calls);
  const [text] = program.program.files.values();

  it('has a line for each call: names of the counterexample, labels, else selectors', () => {
    assert.deepEqual(text!.content.split('\n'), [
      '// What forge executed for CounterTest.invariant_small, in this order.',
      'function run() {',
      '    new counter();',
      '    new CounterTest();',
      '    CounterTest.setUp();',
      '    Counter.add(7);',
      '    counter.0xdeadbeef();',
      '    CounterTest.invariant_small();',
      '}',
      '',
    ]);
  });

  it('has each instruction on the line of its call', () => {
    const lines = new Set<number>();
    for (let pc = 0; pc < code.length; pc++) {
      const range = program.program.map.at(pc);
      const line = range && text!.place(range.start, range.length)?.startLine;
      if (line !== undefined) lines.add(line);
    }
    assert.deepEqual([...lines], [3, 4, 5, 6, 7, 8]);
  });
});
