import assert from 'node:assert/strict';
import { Interface } from 'ethers';
import { findBody } from '../../../server/api/recording-search';
import { requireKnownNames } from '../../../server/debugger/answers/check-names';
import { conditionsAnswer } from '../../../server/debugger/answers/conditions';
import { recordingAnswer } from '../../../server/debugger/answers/recording';
import { stepAnswer } from '../../../server/debugger/answers/step';
import { evaluateAnswer, variablesAnswer } from '../../../server/debugger/answers/variables';
import { languageOf, requireExpression } from '../../../server/debugger/languages/languages';
import type { DebuggedTransaction } from '../../../server/debugger/session/debugged-transaction';
import { OPCODES } from '../../../server/evm/interpreter/opcodes';
import { debugCall } from './debug-call';
import { CALLER } from './record';
import { compileAll, type CompiledProgram } from './solidity';

const SHOP = `0x${'5a'.repeat(20)}`;
const TEXT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Shop {
    uint256 total;
    function pay(uint256 amount) external {
        total = amount;
        require(amount > 9);
    }
}
contract Front {
    uint256 asked;
    function run(uint256 amount) external {
        asked = amount;
        Shop(0x5a5A5a5a5A5a5a5a5a5A5a5A5A5a5a5A5A5A5A5A).pay(amount + 1);
    }
}`;
const ABI = ['function run(uint256)'];
const WHY = 'it is written in Fe, whose variables are not read';
const signal = new AbortController().signal;

const inFe = ({ code, program }: CompiledProgram): CompiledProgram => ({
  code,
  program: { ...program, language: 'Fe' },
});

describe('code in a language without a reader of values', () => {
  let debugged: DebuggedTransaction;
  let inside: number;
  before(async () => {
    const { Front, Shop } = compileAll('Shop.sol', TEXT);
    const data = new Interface(ABI).encodeFunctionData('run', [4]);
    const call = { input: Buffer.from(data.slice(2), 'hex'), storage: new Map([[0n, 0n]]) };
    const others = { [SHOP]: inFe(Shop!.deployed) };
    debugged = await debugCall(Front!.deployed, call, ABI, undefined, others);
    inside = debugged.recording.stores[1]!.step;
  });

  it('has no reader, whereas code of an unnamed language has that of Solidity', () => {
    assert.equal(languageOf({ language: 'Fe' }), undefined);
    assert.equal(languageOf({ language: 'Solidity' })?.name, 'Solidity');
    assert.equal(languageOf({ language: '' })?.name, 'Solidity');
    assert.equal(languageOf({})?.name, 'Solidity');
    requireExpression('total + 1');
    assert.throws(() => {
      requireExpression('total +');
    }, /the expression ends where a value is expected/);
  });

  it('says which language it is, and that its values are not read', async () => {
    for (const scope of ['state', 'locals'] as const) {
      assert.deepEqual(await variablesAnswer(debugged, inside, { scope }, signal), {
        variables: [],
        total: 0,
        unavailable: WHY,
      });
    }
    Object.assign(debugged.recorded.located.executed, { isSimulated: true });
    const { contracts } = recordingAnswer(debugged, '1', `0x${'0'.repeat(64)}`);
    assert.deepEqual(
      contracts.map(({ language, hasLocals, unavailable }) => [language, hasLocals, unavailable]),
      [
        ['Solidity', true, undefined],
        ['Fe', false, `the values of Shop are not known: ${WHY}`],
      ],
    );
  });

  it('is stepped by instructions, with stack, storage and the message', async () => {
    const frame = debugged.recording.at(inside).frame;
    for (let step = inside - 3; step <= inside; step++) {
      const { pc, op, stack } = await stepAnswer(debugged, step, signal);
      assert.equal(op, OPCODES[debugged.codeOf(frame)!.code[pc]!]!.name);
      assert.ok(stack.length > 0);
    }
    const { op, stack } = await stepAnswer(debugged, inside, signal);
    assert.deepEqual([op, stack.at(-1), stack.at(-2)], ['SSTORE', '0x0', '0x5']);
    const next = await variablesAnswer(debugged, inside + 1, { scope: 'storage' }, signal);
    assert.deepEqual(
      next.variables.map(({ slot, value }) => [BigInt(slot!), BigInt(value)]),
      [[0n, 5n]],
    );
    const sender = await evaluateAnswer(debugged, inside, { expression: 'msg.sender' }, signal);
    assert.equal(sender.value, CALLER);
    await assert.rejects(
      evaluateAnswer(debugged, inside, { expression: 'total' }, signal),
      /total is not known here/,
    );
  });

  it('says nothing of conditions and names of its source', async () => {
    assert.deepEqual(await conditionsAnswer(debugged, signal), { conditions: [] });
    const request = (condition: string, line: number) =>
      findBody.parse({
        from: 0,
        direction: 'forwards',
        mode: 'continue',
        lines: [{ id: 1, file: 'Shop.sol', line, condition }],
      });
    await requireKnownNames(debugged, request('nothing > 1', 6), signal);
    await assert.rejects(
      requireKnownNames(debugged, request('nothing > 1', 13), signal),
      /nothing is not known here/,
    );
  });

  it('leaves the values of other languages in the same transaction as they are', async () => {
    const [first] = debugged.recording.stores;
    const { variables } = await variablesAnswer(
      debugged,
      inside,
      { scope: 'state', call: 0 },
      signal,
    );
    assert.deepEqual(
      variables.map(({ name, value }) => [name, value]),
      [['asked', '4']],
    );
    const asked = await evaluateAnswer(debugged, first!.step, { expression: 'amount' }, signal);
    assert.equal(asked.value, '4');
  });
});
