import assert from 'node:assert/strict';
import { Interface } from 'ethers';
import { ApiError } from '../../../server/api/errors';
import { variablesAnswer } from '../../../server/debugger/answers/variables';
import type { DebuggedTransaction } from '../../../server/debugger/session/debugged-transaction';
import { debugCall } from './debug-call';
import { CALLER } from './record';
import { compileAll } from './solidity';

const STORE = `0x${'5'.repeat(40)}`;
const TEXT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Store {
    struct Pack { uint64 a; uint64 b; }
    uint256 total;
    Pack pack;
    mapping(address => uint256) balances;
    function set(uint256 value) external { total = value; pack.b = 2; balances[msg.sender] = 3; }
}
contract Front {
    uint256 calls;
    function run() external { Store(0x5555555555555555555555555555555555555555).set(7); calls = 1; }
}`;
const SIGNAL = new AbortController().signal;

describe('the state of all contracts of a recording', () => {
  let debugged: DebuggedTransaction;
  before(async () => {
    const { Front, Store } = compileAll('Front.sol', TEXT);
    const data = new Interface(['function run()']).encodeFunctionData('run');
    const storage = new Map([[0n, 0n]]);
    const call = { input: Buffer.from(data.slice(2), 'hex'), storage };
    debugged = await debugCall(Front!.deployed, call, ['function run()'], undefined, {
      [STORE]: Store!.deployed,
    });
  });

  const at = async (step: number, reference?: string) => {
    const { variables } = await variablesAnswer(
      debugged,
      step,
      { scope: 'contracts', reference },
      SIGNAL,
    );
    return variables;
  };
  const texts = async (step: number, reference?: string): Promise<string[]> =>
    (await at(step, reference)).map(({ name, value, before }) =>
      before === undefined ? `${name} ${value}` : `${name} ${value} was ${before}`,
    );
  const referenceOf = async (step: number, name: string): Promise<string> =>
    (await at(step)).find((one) => one.name.startsWith(name))!.reference!;

  it('is there before, while and after a contract runs', async () => {
    const last = debugged.recording.steps - 1;
    const names = [`Front at ${CALLER} ${CALLER}`, `Store at ${STORE} ${STORE}`];
    for (const step of [0, last]) assert.deepEqual(await texts(step), names);
    // The state before is not known here: there is no node.
    const [total] = await at(0, await referenceOf(0, 'Store'));
    assert.match(
      total!.unavailable ?? '',
      /^the transaction does not touch the slot .*: there is no node$/,
    );
    assert.deepEqual(await texts(0, await referenceOf(0, 'Front')), ['calls 0']);
    assert.deepEqual(await texts(last, await referenceOf(last, 'Store')), [
      'total 7',
      'pack {a: 0, b: 2}',
      'balances 1 known key',
    ]);
    assert.deepEqual(await texts(last, await referenceOf(last, 'Front')), ['calls 1 was 0']);
  });

  it('can be expanded, with places in storage and without expressions', async () => {
    const last = debugged.recording.steps - 1;
    const members = await at(last, await referenceOf(last, 'Store'));
    assert.deepEqual(
      members.map(({ expression, address }) => [expression, address]),
      members.map(() => [undefined, STORE]),
    );
    assert.deepEqual(await texts(last, members[1]!.reference), ['a 0', 'b 2']);
    assert.deepEqual(await texts(last, members[2]!.reference), [`[${CALLER}] 3`]);
  });

  it('refuses references of other scopes', async () => {
    for (const reference of ['state:total', '99', '']) {
      await assert.rejects(at(0, reference), (error: unknown) => {
        assert.ok(error instanceof ApiError);
        assert.equal(
          error.message,
          `reference is ${JSON.stringify(reference)}; accepted: that of a contract of the scope contracts`,
        );
        return true;
      });
    }
  });
});
