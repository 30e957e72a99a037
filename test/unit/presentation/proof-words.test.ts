import assert from 'node:assert/strict';
import { proofWords } from '../../../server/presentation/proof-words';

const NOTHING = { native: 0, tokens: 0 };

describe('levels of proof in words', () => {
  it('say what was compared', () => {
    assert.deepEqual(
      proofWords(
        { level: 'state-proved' },
        { native: 'verified', tokens: 'verified', compared: { native: 2, tokens: 7 } },
      ),
      {
        kind: 'matches',
        word: 'Matches chain',
        facts: [
          'the execution equals that of the chain',
          'native balances: equal to the state (2 compared)',
          'token balances: equal to the state (7 compared)',
        ],
      },
    );
  });

  it('leave out a comparison of nothing, which proves nothing', () => {
    const { facts } = proofWords(
      { level: 'state-proved' },
      { native: 'verified', tokens: 'verified', compared: NOTHING },
    );
    assert.deepEqual(facts, ['the execution equals that of the chain']);
  });

  it('differ where balances or the receipt do', () => {
    const differing = proofWords(
      { level: 'state-proved' },
      { native: 'unchecked', tokens: 'different' },
    );
    assert.equal(differing.word, 'Differs');
    assert.deepEqual(differing.facts.slice(1), [
      'native balances: not all could be compared with the state',
      'token balances: the state differs from what the events say',
    ]);
    const { word, facts } = proofWords({ level: 'none', firstDifference: 'gas used' }, undefined);
    assert.deepEqual(
      [word, facts],
      ['Differs', ['the execution differs from the receipt: gas used']],
    );
    assert.deepEqual(proofWords({ level: 'none' }, { native: 'different' }).facts, [
      'the execution differs from the receipt',
      'native balances: the state differs from what the calls say',
    ]);
  });

  it('are those of the receipt where nothing else was compared', () => {
    const fact = (more: object): unknown => {
      const { word, facts } = proofWords({ level: 'receipt', ...more }, undefined);
      return [word, ...facts];
    };
    assert.deepEqual(fact({}), [
      'Receipt only',
      'the execution equals the receipt, the rest is not proved',
    ]);
    assert.deepEqual(fact({ proof: 'running' }), [
      'Receipt only',
      'the execution equals the receipt, the proof of the rest is running',
    ]);
    assert.deepEqual(fact({ reason: 'no archive' }), [
      'Receipt only',
      'the execution equals the receipt, the rest is not proved: no archive',
    ]);
  });
});
