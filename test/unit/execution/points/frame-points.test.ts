import assert from 'node:assert/strict';
import { Executions } from '../../../../server/execution/engines/executions';
import { TransactionTracer } from '../../../../server/execution/engines/transaction-tracer';
import { TracedFramePoints } from '../../../../server/execution/points/frame-points';
import { HASH, mined, network } from '../../../support/analysis';
import { ScriptedRpc } from '../../../support/scripted-rpc';
import { certainRules } from '../../../support/block-rules';

describe('code positions of call frames', () => {
  it('are not available for an execution that is too long for the tracer', async () => {
    const rpc = new ScriptedRpc({ debug_traceTransaction: () => null });
    const notUsed = () => Promise.reject(new Error('not used'));
    const source = new TracedFramePoints(
      new TransactionTracer(
        {
          startEngine: notUsed,
          openUpstream: notUsed,
          rulesOf: () => Promise.resolve(certainRules('prague')),
        },
        new Executions(),
      ),
    );
    await assert.rejects(source.points(network(rpc), mined(), new AbortController().signal), {
      kind: 'upstreamLacksData',
      message: `the code locations of the calls of ${HASH} are not available: it executes more than 2000000 instructions`,
    });
  });
});
