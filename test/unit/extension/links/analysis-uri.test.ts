import assert from 'node:assert/strict';
import { parseAnalysisUri, sessionQuery } from '../../../../extension/links/analysis-uri';

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

  it('keeps the step, the build and the breakpoints of a session', () => {
    const place = { chain: 'eth', transaction: HASH, step: 120, build: 'unoptimized' as const };
    const breakpoints = [
      { source: 'src/My Vault.sol', line: 88, condition: 'x > 1' },
      { function: 'Vault.withdraw' },
      { function: 'off', isDisabled: true as const },
    ];
    const query = sessionQuery(place, breakpoints);
    assert.deepEqual(parseAnalysisUri('/debug', query), {
      page: 'debug',
      transaction: HASH,
      chain: 'eth',
      stopAt: { step: 120, build: 'unoptimized' },
      breakpoints: [{ source: 'src/My Vault.sol', line: 88 }, { function: 'Vault.withdraw' }],
    });
    assert.deepEqual(parseAnalysisUri('/debug', `tx=${HASH}&step=7`), {
      page: 'debug',
      transaction: HASH,
      stopAt: { step: 7, build: 'executed' },
    });
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
    ['/analyze', `tx=${HASH}&at=failure`, 'Query is "at"; accepted: chain, tx.'],
    ['/debug', `tx=${HASH}&run=rm`, 'Query is "run"; accepted: chain, tx, at, step, build, break.'],
    [
      '/debug',
      `tx=${HASH}&at=end`,
      'At is "end"; accepted: entry, failure, or the number of a node of the call tree.',
    ],
    ['/debug', `tx=${HASH}&step=1&at=entry`, 'At is "entry"; accepted: none together with step.'],
    ['/debug', `tx=${HASH}&step=-1`, 'Step is "-1"; accepted: the number of a step.'],
    ['/debug', `tx=${HASH}&step=1&build=x`, 'Build is "x"; accepted: executed, unoptimized.'],
    [
      '/debug',
      `tx=${HASH}&build=executed`,
      'Build is "executed"; accepted: only together with step.',
    ],
    [
      '/debug',
      `tx=${HASH}&break=a%0Ab:1`,
      'Break is "a\\nb:1"; accepted: a line such as src/Vault.sol:88, or a function.',
    ],
    [
      '/debug',
      `tx=${HASH}${'&break=f'.repeat(101)}`,
      'Break is 101; accepted: up to 100 breakpoints.',
    ],
    ['/analyze', `tx=${HASH}&run=rm`, 'Query is "run"; accepted: chain, tx.'],
  ];
  for (const [path, query, problem] of refused) {
    it(`is refused: ${problem}`, () => {
      assert.deepEqual(parseAnalysisUri(path, query), {
        problem: `This link cannot be opened: ${problem}`,
      });
    });
  }
});
