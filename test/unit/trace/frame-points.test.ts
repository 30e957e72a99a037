import assert from 'node:assert/strict';
import { TracedFramePoints } from '../../../server/trace/frame-points';
import { HASH, mined, network } from '../../support/analysis';
import { ScriptedRpc } from '../../support/scripted-rpc';

describe('code positions of call frames', () => {
  it('are not available for an execution that is too long for the tracer', async () => {
    const rpc = new ScriptedRpc({ debug_traceTransaction: () => null });
    const notUsed = () => Promise.reject(new Error('not used'));
    const source = new TracedFramePoints({
      startEngine: notUsed,
      openUpstream: notUsed,
      hardforkOf: () => 'prague',
    });
    await assert.rejects(source.points(network(rpc), mined(), new AbortController().signal), {
      kind: 'upstreamLacksData',
      message: `where the calls of ${HASH} stand in their code cannot be told: it executes more than 2000000 instructions`,
    });
  });
});
