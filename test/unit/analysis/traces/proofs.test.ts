import assert from 'node:assert/strict';
import type { ExecutedTransaction } from '../../../../server/analysis/executed-transaction';
import type { TransactionTrace } from '../../../../server/analysis/ports';
import { Proofs, type ProofResult } from '../../../../server/analysis/traces/proofs';
import { ApiError } from '../../../../server/api/errors';
import { frame, HASH, mined, network } from '../../../support/analysis';
import { eventually } from '../../../support/eventually';
import { ScriptedRpc } from '../../../support/scripted-rpc';

const guess: TransactionTrace = { root: frame(), method: 'replay', reportedGas: 21_000 };
const proved: TransactionTrace = { ...guess, proof: { wholePrefix: true, state: 'equal' } };
const executed: ExecutedTransaction = { mined: mined(), trace: guess };
const running = { ...executed, proving: { state: 'running' } };
const on = (user?: string, replayable = true) =>
  network(new ScriptedRpc({}), { replayable, ...(user === undefined ? {} : { user }) });

describe('Proofs', () => {
  /** Ends of the proofs that the test controls, in the order of their starts. */
  let asked: { signal: AbortSignal; end: (outcome: TransactionTrace | Error) => void }[];
  let results: [readonly string[], ProofResult][];
  let replaced: ExecutedTransaction[];
  let time: number;
  let proofs: Proofs;
  beforeEach(() => {
    [asked, results, replaced, time] = [[], [], [], 1_000_000];
    const prove = (_on: unknown, _mined: unknown, trace: TransactionTrace, signal: AbortSignal) => {
      assert.equal(trace, guess);
      return new Promise<TransactionTrace>((resolve, reject) => {
        asked.push({
          signal,
          end: (outcome) => {
            if (outcome instanceof Error) reject(outcome);
            else resolve(outcome);
          },
        });
      });
    };
    const report = (users: readonly string[], result: ProofResult) => results.push([users, result]);
    proofs = new Proofs({ prove }, report, () => time);
  });
  const start = (key: string, of = executed, from = on('ann')) =>
    proofs.start(key, from, of, (one) => replaced.push(one));
  const ended = (key: string) => proofs.ended(key, undefined);
  /** Waits until a proof has been started. */
  const askedFor = (count: number): Promise<void> =>
    eventually(() => {
      assert.ok(asked.length >= count);
    });

  it('replace an execution, and report the level to everyone who asked', async () => {
    assert.deepEqual(start('a'), running);
    assert.deepEqual(start('a', executed, on('bob')), running);
    assert.deepEqual(start('a', executed, on()), running);
    await askedFor(1);
    asked[0]!.end(proved);
    await ended('a');
    assert.equal(asked.length, 1);
    assert.deepEqual(replaced, [running, { mined: executed.mined, trace: proved }]);
    assert.deepEqual(results, [
      [['ann', 'bob'], { chain: 'test', hash: HASH, level: 'state-proved' }],
    ]);
  });

  it('report the reason and what they corrected', async () => {
    const proof = { wholePrefix: true, reason: 'another state', corrected: 'a log' };
    start('a', executed, on());
    await askedFor(1);
    asked[0]!.end({ ...guess, proof });
    await ended('a');
    const result = { level: 'receipt', reason: 'another state', corrected: 'a log' };
    assert.deepEqual(results, [[[], { chain: 'test', hash: HASH, ...result }]]);
  });

  it('run one after the other', async () => {
    start('a');
    start('b');
    await askedFor(1);
    await new Promise(setImmediate);
    assert.equal(asked.length, 1);
    asked[0]!.end(proved);
    await askedFor(2);
    asked[1]!.end(proved);
    await ended('b');
  });

  it('can be repeated one minute after a failure', async () => {
    for (const [error, reason] of [
      [new ApiError('timedOut', 'it took too long'), 'it took too long'],
      [new Error('a secret'), 'the service failed'],
    ] as const) {
      start('a');
      await askedFor(1);
      asked.pop()!.end(error);
      await ended('a');
      const failed = replaced.at(-1)!;
      assert.deepEqual(failed, { ...executed, proving: { state: 'failed', reason, at: time } });
      assert.equal(results.at(-1)?.[1].reason, reason);
      time += 59_999;
      assert.equal(start('a', failed), failed);
      time += 1;
      assert.deepEqual(start('a', failed), running);
      await askedFor(1);
      asked.pop()!.end(proved);
      await ended('a');
    }
  });

  it('are not started without a need', () => {
    assert.equal(start('a', executed, on('ann', false)), executed);
    const known = { ...executed, trace: proved };
    assert.equal(start('a', known), known);
    assert.deepEqual([replaced, results], [[], []]);
  });

  it('wait in a list of up to 200', () => {
    for (let i = 0; i <= 200; i++) assert.deepEqual(start(String(i)), running);
    assert.equal(start('one too many'), executed);
  });

  it('can be waited for until the signal fires', async () => {
    start('a');
    const controller = new AbortController();
    const waiting = proofs.ended('a', controller.signal);
    controller.abort();
    await assert.rejects(waiting, { kind: 'cancelled', message: 'the analysis was cancelled' });
    await ended('unknown');
  });

  it('end with the service, and report nothing then', async () => {
    start('a');
    await askedFor(1);
    const closing = proofs.close();
    assert.equal(asked[0]!.signal.aborted, true);
    asked[0]!.end(new Error('aborted'));
    await closing;
    await ended('a');
    assert.deepEqual([replaced, results], [[running], []]);
    assert.equal(start('b'), executed);
  });
});
