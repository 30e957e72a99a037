import assert from 'node:assert/strict';
import { ApiError, type ApiErrorName } from '../../../server/api/errors';
import type { FramePoints } from '../../../server/analysis/ports';
import { neverAborted } from '../../../server/kernel/async/never-aborted';
import type { DebuggedTransaction } from '../../../server/debugger/session/debugged-transaction';
import { RecordedFramePoints } from '../../../server/debugger/session/recorded-frame-points';
import { mined, network } from '../../support/analysis';
import { ScriptedRpc } from '../../support/scripted-rpc';

const TRACED: readonly FramePoints[] = [{ end: 7, jumps: [3] }];

const pointsWhen = (open: () => Promise<DebuggedTransaction>): Promise<readonly FramePoints[]> =>
  new RecordedFramePoints({ open }, { points: () => Promise.resolve(TRACED) }).points(
    network(new ScriptedRpc({})),
    mined(),
    neverAborted(),
  );
const failing = (kind: ApiErrorName) => () => Promise.reject(new ApiError(kind, 'no recording'));

describe('code positions from a recording', () => {
  for (const kind of ['recordingUnsupported', 'recordingTooLarge', 'upstreamLacksData'] as const) {
    it(`are those of a tracer where there is none (${kind})`, async () => {
      assert.equal(await pointsWhen(failing(kind)), TRACED);
    });
  }

  const different = (executed: { isSimulated?: true }) => () => {
    const recorded = { verification: { level: 'different' }, located: { executed } };
    return Promise.resolve({ recorded } as unknown as DebuggedTransaction);
  };

  it('are those of a tracer where the recording differs from the receipt', async () => {
    assert.equal(await pointsWhen(different({})), TRACED);
  });

  it('are not known of a simulation whose recording differs: no node has it', async () => {
    const { hash } = mined().transaction;
    await assert.rejects(pointsWhen(different({ isSimulated: true })), {
      kind: 'upstreamLacksData',
      message: `the code locations of the calls of simulation ${hash} are not available: its recording differs from what the engine executed`,
    });
  });

  it('fail where the transaction is no longer there', async () => {
    await assert.rejects(pointsWhen(failing('transactionNotFound')), { message: 'no recording' });
  });
});
