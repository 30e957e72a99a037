import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import { LIMITS } from '../../server/api/limits';
import type { Quota } from '../../server/api/quota';
import { eventually } from '../support/eventually';
import { useDebugger, useWorkspaceContract } from './debugger-suite';

const ROUNDS = 3_000;
const LONG = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;

contract Long {
    uint256 total;

    function run() external {
        for (uint256 i = 0; i < ${ROUNDS}; i++) {
            total += i;
            total += 1;
        }
    }
}
`;
const [COUNTED, SEARCHED] = [9, 10];

describe('pause of a movement of the debugger', function () {
  this.timeout(60_000);
  // Only what has a quota is counted.
  const suite = useDebugger({ limits: { quotas: { user: { analyses: 20 } } } });
  useWorkspaceContract(suite, 'Long', LONG);

  const roundOf = async (): Promise<number> => {
    const answer = await suite.debug.ask<DebugProtocol.EvaluateResponse>('evaluate', {
      expression: 'i',
    });
    return Number(answer.result);
  };

  /** Searches for what does not happen, and pauses as soon as the search says that it goes on. @returns the number of conditions it evaluated */
  async function pauseIn(command: 'continue' | 'reverseContinue'): Promise<number> {
    const { debug } = suite;
    await suite.setLines(
      { line: COUNTED, logMessage: 'round' },
      { line: SEARCHED, condition: `i > ${ROUNDS}` },
    );
    let rounds = 0;
    const first = new Promise<void>((resolve) => {
      debug.on('output', ({ body }: DebugProtocol.OutputEvent) => {
        if (body.output !== 'round\n') return;
        rounds++;
        resolve();
      });
    });
    const stopped = debug.nextStop();
    await debug.send(command, { threadId: 1 });
    await first;
    await debug.send('pause', { threadId: 1 });
    assert.equal((await stopped).body.reason, 'pause');
    assert.equal(await suite.line(), SEARCHED);
    // Backwards, the search is at the second line of a round whose first line it did not reach.
    return command === 'continue' ? rounds : rounds + 1;
  }

  it('stops where a search forwards has got to, and goes on from there', async () => {
    const evaluated = await pauseIn('continue');
    assert.ok(evaluated < ROUNDS);
    assert.equal(await roundOf(), evaluated - 1);
    await suite.setLines({ line: SEARCHED, condition: `i == ${ROUNDS - 1}` });
    assert.equal((await suite.debug.move('continue')).reason, 'breakpoint');
    assert.equal(await roundOf(), ROUNDS - 1);
  });

  it('stops where a search backwards has got to', async () => {
    await suite.debug.move('continue');
    const evaluated = await pauseIn('reverseContinue');
    assert.ok(evaluated < ROUNDS);
    assert.equal(await roundOf(), ROUNDS - evaluated);
  });

  it('stops where a search that counts the hits of a condition has got to, and counts on from there', async () => {
    const { debug } = suite;
    await suite.setLines(
      { line: COUNTED, logMessage: 'round' },
      { line: SEARCHED, condition: 'i % 2 == 1', hitCondition: `== ${ROUNDS / 2}` },
    );
    const started = new Promise<void>((resolve) => {
      debug.on('output', ({ body }: DebugProtocol.OutputEvent) => {
        if (body.output === 'round\n') resolve();
      });
    });
    const stopped = debug.nextStop();
    await debug.send('continue', { threadId: 1 });
    await started;
    await debug.send('pause', { threadId: 1 });
    assert.equal((await stopped).body.reason, 'pause');
    assert.equal(await suite.line(), SEARCHED);
    const paused = await roundOf();
    assert.ok(paused < ROUNDS - 1);
    assert.equal((await debug.move('continue')).reason, 'breakpoint');
    assert.equal(await roundOf(), ROUNDS - 1);
    await suite.setLines({ line: SEARCHED, condition: 'i % 2 == 1', hitCondition: '== 7' });
    assert.equal((await debug.move('reverseContinue')).reason, 'breakpoint');
    assert.equal(await roundOf(), 13);
  });

  it('ends its search on the service when the session ends', async () => {
    const { debug, service } = suite;
    /** Waits for less time than a search may take that nobody ends. */
    const searches = (count: number): Promise<void> =>
      eventually(async () => {
        const { data } = await service.request<Quota>('GET', '/v1/account/quota');
        assert.equal(data.analyses.used, count);
      }, LIMITS.findTime / 3);
    await debug.move('continue');
    // Backwards, the first answer has to count all hits before it.
    await suite.setLines({ line: SEARCHED, condition: 'i > 5', hitCondition: `> ${2 * ROUNDS}` });
    await debug.send('reverseContinue', { threadId: 1 });
    await searches(1);
    await debug.disconnectRequest();
    await searches(0);
  });
});
