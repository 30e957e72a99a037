import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { ExecutedLines } from '../../server/api/recording';
import { useDebugger, useWorkspaceContract } from './debugger-suite';

const LOOP = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Loop {
    uint256 total;

    function run() external {
        for (uint256 i = 0; i < 1050; i++) {
            total += i;
        }
    }
}
`;
const LINE = 9;

describe('a line that is executed often, in the debugger', () => {
  const suite = useDebugger();
  useWorkspaceContract(suite, 'Loop', LOOP);

  const targets = async (line = LINE): Promise<DebugProtocol.GotoTarget[]> => {
    const source = await suite.topSource();
    const { body } = await suite.debug.send('gotoTargets', { source, line });
    return body.targets;
  };
  /** The first and the last execution, as the labels name them. */
  const ends = async (): Promise<string[]> => {
    const all = await targets();
    assert.equal(all.length, 20);
    return [all[0]!, all.at(-1)!].map(({ label }) => label.replace(/, step [\d,]+$/, ''));
  };
  const value = async (): Promise<string> =>
    (await suite.debug.ask<DebugProtocol.EvaluateResponse>('evaluate', { expression: 'i' })).result;

  it('offers its executions around the debugger', async () => {
    assert.deepEqual(await ends(), ['execution 1 of 1,050', 'execution 20 of 1,050']);
    await suite.setLines({ line: LINE, hitCondition: '== 412' });
    await suite.debug.move('continue');
    assert.equal(await value(), '411');
    assert.deepEqual(await ends(), ['execution 403 of 1,050', 'execution 422 of 1,050']);
    const next = (await targets()).find(({ label }) => label.startsWith('execution 417 '));
    await suite.debug.move('goto', { targetId: next!.id });
    assert.equal(await value(), '416');
    await suite.setLines({ line: LINE, hitCondition: '== 1050' });
    await suite.debug.move('continue');
    assert.deepEqual(await ends(), ['execution 1,031 of 1,050', 'execution 1,050 of 1,050']);
  });

  it('has no executions where no code is', async () => {
    assert.deepEqual(await targets(1), []);
    assert.deepEqual(await targets(-3), []);
  });

  it('lists its steps around one over REST, and refuses what is no number', async () => {
    const { chain, transaction } = (await suite.debug.customRequest('forklens/place'))
      .body as Record<string, string>;
    const lines = (query: string) =>
      suite.service.request<ExecutedLines>(
        'GET',
        `/v1/explorer/${chain}/transaction/${transaction}/recording/lines?${query}`,
      );
    const all = (await lines('')).data.lines;
    const whole = all.find(({ line }) => line === LINE)!;
    assert.deepEqual([whole.count, whole.first, whole.steps.length], [1050, 1, 20]);
    const near = whole.steps[15]!;
    const [around, ...others] = (await lines(`line=${LINE}&near=${near}`)).data.lines;
    assert.deepEqual(others, []);
    assert.equal(around!.first, 7);
    assert.deepEqual(around!.steps.slice(0, 14), whole.steps.slice(6));
    for (const query of ['near=x', 'line=-1']) {
      const { code, message } = await lines(query);
      assert.deepEqual([code, message.includes('a whole number from 0 to')], [40001, true], query);
    }
  });
});
