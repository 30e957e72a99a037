import assert from 'node:assert/strict';
import { buildCallTree, failureOrigin } from '../../../media/inspector/model/tree-model';
import { summarize, type Summary } from '../../../media/inspector/model/summary';
import { verdictOf, type Verdict } from '../../../media/inspector/model/verdict';
import type { Flow } from '../../../media/inspector/protocol/protocol';
import { flowPart } from '../../../media/inspector/protocol/analysis-parts';
import { callRow, eventRow, fixture, flowOf } from '../../ui-components/fixtures';

function summaryOf(flow: Flow): Summary {
  const tree = buildCallTree(flow.rows);
  return summarize(flow, tree, failureOrigin(tree));
}

describe('media: summary', () => {
  it('contains the method of a success', () => {
    assert.deepEqual(summaryOf(flowPart(fixture('swap').flow)), {
      outcome: 'success',
      method: 'swapExactTokensForTokens',
    });
  });

  it('contains the reason of a revert and the frame that threw', () => {
    const { outcome, failure } = summaryOf(flowPart(fixture('revert').flow));
    assert.equal(outcome, 'reverted');
    assert.match(failure?.reason ?? '', /^WithdrawalLimitExceeded\(/);
    assert.equal(failure?.origin.decodedMethod?.name, 'checkLimit');
  });

  it('distinguishes other failures from reverts, and plain transfers and creations from calls', () => {
    const failed = flowOf([callRow(0, { status: false, errorInfo: 'out of gas' })], {
      status: false,
    });
    assert.equal(summaryOf(failed).outcome, 'failed');
    const transfer = flowOf([callRow(0, { selector: 'fallback' })]);
    assert.equal(summaryOf(transfer).method, 'native transfer');
    const received = flowOf([callRow(0, { selector: 'fallback' }), eventRow(1)]);
    assert.equal(summaryOf(received).method, 'native transfer');
    const called = flowOf([callRow(0, { selector: 'fallback', callData: '0x00' })]);
    assert.equal(summaryOf(called).method, 'fallback');
    const creation = flowOf([callRow(0, { operation: 'CREATE', selector: '' })]);
    creation.transaction = { ...creation.transaction, to: null };
    assert.equal(summaryOf(creation).method, 'contract creation');
  });

  it('handles an empty trace', () => {
    assert.deepEqual(summaryOf(flowOf([])), { outcome: 'success', method: '' });
    assert.equal(summaryOf(flowOf([], { status: false })).outcome, 'failed');
  });

  it('explains the source of the trace and how reliable it is', () => {
    const verdict = (verification: Flow['verification']): Verdict =>
      verdictOf(flowOf([], { verification }));
    assert.deepEqual(verdict({ level: 'state-proved', method: 'debug', faithful: true }), {
      word: 'Matches chain',
      explanation:
        "The trace comes from the node's debug API. Its status, gas and logs equal those of the receipt on the chain.",
      warnings: [],
      kind: 'proved',
    });
    const replay = { method: 'replay', faithful: true } as const;
    const proved = verdict({ ...replay, level: 'state-proved' });
    assert.deepEqual([proved.word, proved.kind], ['Matches chain', 'proved']);
    assert.match(proved.explanation, /local replay.*the state that it leaves is that of the chain/);
    const running = verdict({ ...replay, level: 'receipt', proof: 'running' });
    assert.deepEqual([running.word, running.kind], ['Receipt only, proof running', 'guessed']);
    const failed = verdict({ ...replay, level: 'receipt', proof: 'failed', reason: 'no state' });
    assert.equal(failed.word, 'Receipt only');
    assert.match(failed.explanation, /More is not proved: no state\.$/);
    const corrected = verdict({ ...replay, level: 'state-proved', corrected: 'call 1 had 1 wei' });
    assert.match(
      corrected.explanation,
      /It replaces an answer that was wrong: call 1 had 1 wei\.$/,
    );
    const unlike = { method: 'replay', faithful: false, firstDifference: 'gas' } as const;
    const differs = verdict({ ...unlike, level: 'none' });
    assert.deepEqual([differs.word, differs.kind], ['Differs', 'different']);
    assert.match(differs.explanation, /\(gas\)/);
    const simulation = { method: 'debug' as const, blockNumber: 19_000_123, position: 2 };
    const simulated = verdictOf(flowOf([], { verification: undefined, simulation }));
    assert.equal(simulated.kind, 'simulated');
    assert.match(simulated.explanation, /block 19,000,123 after 2 transactions\.$/);
  });

  it('warns where events or calls and the state disagree, of a matching trace too', () => {
    const verification = { level: 'state-proved', method: 'debug', faithful: true } as const;
    const flow = flowOf([], { verification });
    const compared = { native: 'verified', tokens: 'verified' } as const;
    assert.equal(verdictOf(flow, compared).kind, 'proved');
    const lying = verdictOf(flow, { ...compared, tokens: 'different' });
    assert.deepEqual([lying.word, lying.kind], ['Events differ from state', 'different']);
    assert.match(
      lying.explanation,
      /^The amounts in the events differ from the balance changes\. .* logs equal those/,
    );
    const native = verdictOf(flow, { ...compared, native: 'different' });
    assert.deepEqual([native.word, native.kind], ['Balances differ', 'different']);
    const unlike = { ...verification, level: 'none', faithful: false } as const;
    const trace = verdictOf(flowOf([], { verification: unlike }), { tokens: 'different' });
    assert.equal(trace.word, 'Differs');
  });

  it('gives the reason as the service words it, also the guess of an error that nobody declares', () => {
    const failed = (revertMessage: string): string | undefined =>
      summaryOf(
        flowOf([callRow(0, { status: false, revertMessage, errorInfo: 'reverted' })], {
          status: false,
        }),
      ).failure?.reason;
    assert.equal(failed('0x6831488c(guess: 0x90f7, 2)'), '0x6831488c(guess: 0x90f7, 2)');
    assert.equal(failed('NotOwner()'), 'NotOwner()');
    assert.equal(failed(''), 'reverted');
  });
});
