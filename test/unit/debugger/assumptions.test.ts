import assert from 'node:assert/strict';
import { Interface } from 'ethers';
import type { Network } from '../../../server/analysis/ports';
import { type Variable } from '../../../server/api/recording';
import { findBody } from '../../../server/api/recording-search';
import {
  evaluateAnswer,
  evaluator,
  variablesAnswer,
} from '../../../server/debugger/answers/variables';
import type { DebuggedTransaction } from '../../../server/debugger/session/debugged-transaction';
import { findStop } from '../../../server/debugger/session/find-stop';
import { toWord } from '../../../server/evm/forms/quantity';
import { ScriptedRpc } from '../../support/scripted-rpc';
import { debugCall } from './debug-call';
import { compile } from './solidity';

const TEXT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Shop {
    uint256 public total;
    uint256 public limit;
    uint256[] list;
    string label;
    struct Pair { uint256 a; uint256 b; }
    Pair pair;
    function run() external {
        total = 5;
        total = 6;
    }
    function left() public view returns (uint256) { return limit - total; }
}`;
const FILE = 'Shop.sol';
const ABI = ['function run()'];
const SIGNAL = new AbortController().signal;
const ASSUMPTION = 'the same before and after the block';

/** Every slot is 2 at every block, except the text. */
async function record(position: number): Promise<DebuggedTransaction> {
  const rpc = new ScriptedRpc({
    eth_getStorageAt: (_: string, slot: string) =>
      BigInt(slot) === 3n ? `0x61${'0'.repeat(60)}02` : toWord(2n),
    eth_getBalance: () => '0xc',
    eth_getTransactionCount: () => '0x0',
    eth_getCode: () => '0x',
  });
  const network = { rpc, replayable: true } as unknown as Network;
  const data = new Interface(ABI).encodeFunctionData('run');
  const input = Buffer.from(data.slice(2), 'hex');
  const point = { network, block: { number: '0x7' as const }, position };
  const storage = new Map([[0n, 0n]]);
  return debugCall(compile('Shop', TEXT), { input, storage }, ABI, point);
}

describe('values that rest on an assumption', () => {
  let inside: DebuggedTransaction;
  let first: DebuggedTransaction;
  let step: number;
  before(async () => {
    [inside, first] = await Promise.all([record(3), record(0)]);
    [, step = 0] = [11, 12].flatMap((line) => inside.stops.stepsOf({ file: FILE, line }));
  });

  const state = async (
    debugged: DebuggedTransaction,
    reference?: string,
  ): Promise<(string | undefined)[][]> => {
    const query = { scope: 'state' as const, reference };
    const { variables } = await variablesAnswer(debugged, step, query, SIGNAL);
    return variables.map(({ name, value, assumption }) => [name, value, assumption]);
  };
  const evaluate = (debugged: DebuggedTransaction, expression: string): Promise<Variable> =>
    evaluateAnswer(debugged, step, { expression }, SIGNAL);

  it('say so among the variables of a transaction inside its block', async () => {
    assert.deepEqual(await state(inside), [
      ['total', '5', undefined],
      ['limit', '2', ASSUMPTION],
      ['list', '[2, 2]', ASSUMPTION],
      ['label', '"a"', ASSUMPTION],
      ['pair', '{a: 2, b: 2}', ASSUMPTION],
    ]);
    assert.deepEqual(await state(first), [
      ['total', '5', undefined],
      ['limit', '2', undefined],
      ['list', '[2, 2]', undefined],
      ['label', '"a"', undefined],
      ['pair', '{a: 2, b: 2}', undefined],
    ]);
  });

  it('say so among members, and of their number', async () => {
    assert.deepEqual(await state(inside, 'state:pair'), [
      ['a', '2', ASSUMPTION],
      ['b', '2', ASSUMPTION],
    ]);
    const totals = async (debugged: DebuggedTransaction): Promise<unknown[]> => {
      const query = { scope: 'state' as const, reference: 'state:list', count: 0 };
      const { total, assumption } = await variablesAnswer(debugged, step, query, SIGNAL);
      return [total, assumption];
    };
    assert.deepEqual(await totals(inside), [2, ASSUMPTION]);
    assert.deepEqual(await totals(first), [2, undefined]);
  });

  for (const [expression, value, assumption] of [
    ['limit + 1', '3', ASSUMPTION],
    ['total + 1', '6', undefined],
    ['total == 5 || limit == 2', 'true', undefined],
    ['total == 6 || limit == 2', 'true', ASSUMPTION],
    ['list.length', '2', ASSUMPTION],
    ['total()', '5', undefined],
    ['limit()', '2', ASSUMPTION],
    ['address(0x00000000000000000000000000000000000000dd).balance', '12', ASSUMPTION],
  ] as const) {
    it(`say so in expressions: ${expression}`, async () => {
      const found = await evaluate(inside, expression);
      assert.deepEqual([found.value, found.assumption], [value, assumption]);
      assert.equal((await evaluate(first, expression)).assumption, undefined);
    });
  }

  it('say so where they are the reason why a value is not known', async () => {
    const { unavailable, assumption } = await evaluate(inside, 'list[total]');
    assert.deepEqual(
      [unavailable, assumption],
      ['the index 5 is not below the length 2', ASSUMPTION],
    );
    const reverted = await evaluate(inside, 'left()');
    assert.deepEqual(
      [reverted.unavailable, reverted.assumption],
      ['the call reverts: Panic(0x11)', ASSUMPTION],
    );
  });

  it('say so in conditions and messages', async () => {
    const body = (condition: string, message?: string) =>
      findBody.parse({
        from: 0,
        direction: 'forwards',
        mode: 'continue',
        lines: [{ id: 1, file: FILE, line: 12, condition, message }],
      });
    const logged = async (debugged: DebuggedTransaction, condition: string, message?: string) => {
      const request = body(condition, message);
      const found = await findStop(debugged, request, evaluator(debugged, SIGNAL), SIGNAL);
      return [found.reason, ...found.logged.map(({ text }) => text)];
    };
    assert.deepEqual(await logged(inside, 'limit == 2'), [
      'line',
      `the condition limit == 2 uses values that are not proved: ${ASSUMPTION}`,
    ]);
    assert.deepEqual(await logged(inside, 'total == 5'), ['line']);
    assert.deepEqual(await logged(first, 'limit == 2'), ['line']);
    assert.deepEqual(await logged(inside, 'total == 5', '{limit} of {total}'), [
      'end',
      `2 (assumed: ${ASSUMPTION}) of 5`,
    ]);
  });
});
