import assert from 'node:assert/strict';
import { parseAnalysisUri } from '../../../../extension/links/analysis-uri';

const HASH = `0x${'ab'.repeat(32)}`;
const FORK = `fork_${'0'.repeat(32)}`;

describe('a link to an analysis', () => {
  it('contains a chain or fork and a transaction', () => {
    const link = (query: string) => parseAnalysisUri('/analyze', query);
    const analyze = { page: 'analyze', transaction: HASH };
    assert.deepEqual(link(`chain=eth&tx=${HASH}`), { ...analyze, chain: 'eth' });
    assert.deepEqual(link(`tx=${HASH}&chain=${FORK}`), { ...analyze, chain: FORK });
    assert.deepEqual(link(`tx=${HASH.replace('ab', 'AB')}`), analyze);
  });

  it('debugs from a place', () => {
    const link = (query: string) => parseAnalysisUri('/debug', query);
    const debug = { page: 'debug', transaction: HASH };
    assert.deepEqual(link(`chain=eth&tx=${HASH}`), { ...debug, chain: 'eth' });
    assert.deepEqual(link(`tx=${HASH}&at=failure`), { ...debug, stopAt: 'failure' });
    assert.deepEqual(link(`tx=${HASH}&at=12`), { ...debug, stopAt: 12 });
  });

  const refused: [path: string, query: string, problem: string][] = [
    ['/delete', `tx=${HASH}`, 'Path is "/delete"; accepted: /analyze, /debug.'],
    ['/analyze', '', 'Tx is missing; accepted: a transaction hash: 0x and 64 hex digits.'],
    ['/analyze', 'tx=0x12', 'Tx is "0x12"; accepted: a transaction hash: 0x and 64 hex digits.'],
    [
      '/analyze',
      `tx=${HASH}&chain=../admin`,
      'Chain is "../admin"; accepted: the slug of a chain, or the id of a fork.',
    ],
    ['/analyze', `tx=${HASH}&at=failure`, 'Query is "at"; accepted: chain and tx.'],
    ['/debug', `tx=${HASH}&run=rm`, 'Query is "run"; accepted: chain, tx and at.'],
    [
      '/debug',
      `tx=${HASH}&at=end`,
      'At is "end"; accepted: entry, failure, or the number of a node of the call tree.',
    ],
    ['/analyze', `tx=${HASH}&run=rm`, 'Query is "run"; accepted: chain and tx.'],
  ];
  for (const [path, query, problem] of refused) {
    it(`is refused: ${problem}`, () => {
      assert.deepEqual(parseAnalysisUri(path, query), {
        problem: `This link cannot be opened: ${problem}`,
      });
    });
  }
});
