import assert from 'node:assert/strict';
import { select } from '../../../../extension/hardhat-tests/hardhat-project';
import { readList, readReport, type ListedTest } from '../../../../extension/hardhat-tests/report';
import { sentDuring } from '../../../../extension/hardhat-tests/sent-failures';

const FILE = '/project/test/a.js';
const lines = (...values: object[]): string =>
  values.map((value) => `${JSON.stringify({ file: FILE, ...value })}\n`).join('');
const start = (at: number, ...path: string[]): object => ({ type: 'start', path, at });
const end = (at: number, ...path: string[]): object => ({
  type: 'end',
  path,
  at,
  status: 'passed',
});
const close = (...path: string[]): object => ({ type: 'close', path });

describe('the report of Hardhat’s tests', () => {
  it('lists tests, and counts those with one name', () => {
    const test = { type: 'test', runner: 'mocha', path: ['a', 'b'], line: 3 };
    const text = lines(test, { ...test, line: 4 }, { ...test, file: '/other.js' });
    assert.deepEqual(
      readList(text).tests.map(({ file, line, nth }) => [file, line, nth]),
      [
        [FILE, 3, 0],
        [FILE, 4, 1],
        ['/other.js', 3, 0],
      ],
    );
  });

  it('leaves out lines of another form, and a last one that is unfinished', () => {
    const known = { type: 'test', runner: 'node', path: ['a'] };
    const text = `${lines({ type: 'other', path: [] }, known, { ...known, runner: 'jest' })}null\n{"type":"te`;
    assert.deepEqual(readList(text).tests.length, 1);
    assert.deepEqual(readReport(text), { outcomes: [], broken: [] });
  });

  const began = (text: string): (number | undefined)[] =>
    readReport(text).outcomes.map((one) => one.began);

  it('says when tests began that ran one after the other, also inside suites', () => {
    const text = lines(
      start(1, 'suite'),
      start(2, 'suite', 'a'),
      end(3, 'suite', 'a'),
      close('suite'),
      start(4, 'other'),
      end(5, 'other'),
    );
    assert.deepEqual(began(text), [2, 4]);
  });

  it('does not where they ran at the same time, or did not begin', () => {
    const text = lines(start(1, 'a'), start(2, 'b'), end(3, 'a'), end(4, 'b'), end(5, 'c'));
    assert.deepEqual(began(text), [undefined, undefined, undefined]);
  });

  it('gives a test what was sent while it ran', () => {
    const sent = [1, 2, 3, 4].map((at) => ({ at, kind: 'transaction' as const, hash: `0x${at}` }));
    assert.deepEqual(sentDuring({ began: 2, at: 3 }, sent), sent.slice(1, 3));
    assert.deepEqual(sentDuring({ began: undefined, at: 3 }, sent), []);
  });
});

describe('the selection of Hardhat’s tests', () => {
  const test = (file: string, ...path: string[]): ListedTest => ({
    file,
    path,
    runner: file.endsWith('.sol') ? 'solidity' : 'mocha',
    line: undefined,
    nth: 0,
  });
  const ALL = [
    test('/a.js', 'x', 'costs $1 (more)'),
    test('/a.js', 'y'),
    test('/b.t.sol', 'BTest', 'test_b'),
    test('/b.t.sol', 'BTest', 'test_c'),
  ];

  it('names nothing where all are chosen, and files where all of them are', () => {
    assert.deepEqual(select(ALL, ALL), {});
    assert.deepEqual(select(ALL.slice(0, 2), ALL), { files: ['/a.js'] });
  });

  it('has a pattern of exactly the others', () => {
    const { files, pattern = '' } = select([ALL[0]!, ALL[2]!], ALL);
    assert.deepEqual(files, ['/a.js', '/b.t.sol']);
    const matched = [
      'x costs $1 (more)',
      'x costs $1 (more) and',
      'y',
      'test_b(uint256)',
      'test_bc()',
    ];
    assert.deepEqual(
      matched.filter((name) => new RegExp(pattern).test(name)),
      ['x costs $1 (more)', 'test_b(uint256)'],
    );
  });

  it('is that of whole files where their names are too long', () => {
    const long = [test('/a.js', 'x'.repeat(9_000)), test('/a.js', 'y')];
    assert.deepEqual(select(long.slice(0, 1), long), { files: ['/a.js'] });
  });
});
