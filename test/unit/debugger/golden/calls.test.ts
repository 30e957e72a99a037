import { Interface } from 'ethers';
import { golden } from './golden';

const oracle = {
  file: 'Failures.sol',
  deploy: { oracle: ['Oracle'], reader: ['Reader'] },
} as const;
/** 4 bytes of the selector, and 4 words. */
const STALE = new Interface(['error Stale(uint256, string)'])
  .encodeErrorResult('Stale', [600, 'feed'])
  .slice(2);

describe('golden scripts of calls that fail', () => {
  golden(
    'each clause of a try statement',
    { ...oracle, transaction: { to: 'reader', call: 'readAll(address)', arguments: ['oracle'] } },
    [
      {
        goto: 'Failures.sol:23',
        stack: ['Reader.readAll(oracle: oracle):23'],
        locals: { oracle: 'oracle', kind: '0', value: '0', unit: '"cents"' },
      },
      {
        goto: 'Failures.sol:25',
        locals: { oracle: 'oracle', kind: '1', reason: '"no price"' },
        values: { good: '5' },
      },
      { goto: 'Failures.sol:29', locals: { oracle: 'oracle', kind: '2', data: `hex"${STALE}"` } },
      {
        goto: 'Failures.sol:27',
        locals: { oracle: 'oracle', kind: '3', code: '18' },
        values: { good: '137' },
      },
      { continue: 'end', state: { good: '155', lastReason: '"no price"' } },
      {
        reverse: { failure: 'all' },
        at: 'Failures.sol:10',
        says: 'Panic: division or modulo by zero (0x12)',
        stack: ['Oracle.price(kind: 3):10', 'Reader.readAll(oracle: oracle):22'],
        locals: { kind: '3', value: '0', unit: '""' },
        callers: [{ locals: { oracle: 'oracle', kind: '3' }, values: { good: '137' } }],
      },
      { reverse: { failure: 'all' }, at: 'Failures.sol:9', says: 'Stale(age: 600, source: feed)' },
      { reverse: { failure: 'all' }, at: 'Failures.sol:8', says: 'no price' },
    ],
  );

  golden(
    'failures that low-level calls swallow',
    { ...oracle, transaction: { to: 'reader', call: 'swallow(address)', arguments: ['oracle'] } },
    [
      {
        goto: 'Failures.sol:36',
        locals: { oracle: 'oracle', ok: 'false', answer: `hex"${STALE}"` },
      },
      {
        goto: 'Failures.sol:43',
        stack: ['Reader.nested(oracle: oracle):43', 'Reader.swallow(oracle: oracle):37'],
        locals: { oracle: 'oracle' },
        values: { good: '1000', 'msg.sender': 'reader', 'tx.origin': 'alice' },
        callers: [{ values: { 'msg.sender': 'alice' } }],
      },
      { continue: { failure: 'all' }, at: 'Failures.sol:8', says: 'no price' },
      { continue: { line: 'Failures.sol:38' }, values: { good: '132', ok: 'false' } },
      { continue: 'end', values: { good: '133' } },
      { reverse: { write: 'good' }, at: 'Failures.sol:38', values: { good: '132' } },
      { reverse: { write: 'good' }, at: 'Failures.sol:42', values: { good: '132' } },
      { reverse: { write: 'good' }, at: 'Failures.sol:36', values: { good: '0' } },
    ],
  );
});

describe('golden scripts of virtual functions', () => {
  const both = {
    file: 'Inheritance.sol',
    deploy: { both: ['Both'] },
    transaction: { to: 'both', call: 'visit(uint256)', arguments: [1] },
  } as const;
  golden('a modifier, and super through four contracts', both, [
    {
      goto: 'Inheritance.sol:10',
      stack: ['Both.visit(step: 1):10'],
      locals: { by: '8' },
      values: { 'Base.secret': '0', 'Right.secret': '5', counter: '1' },
    },
    {
      goto: 'Inheritance.sol:17',
      stack: [
        'Base.visit(step: 6) of Both:17',
        'Left.visit(step: 3) of Both:24',
        'Right.visit(step: 1) of Both:33',
        'Both.visit(step: 1):45',
      ],
      locals: { step: '6' },
      values: { 'Base.secret': '8', counter: '1' },
      callers: [
        { locals: { step: '3' } },
        { locals: { step: '1' } },
        { locals: { step: '1', out: '0' } },
      ],
    },
    { over: 1, at: 'Inheritance.sol:18', values: { counter: '7' } },
    { out: 1, at: 'Inheritance.sol:24', locals: { step: '3' } },
    { over: 1, at: 'Inheritance.sol:25', locals: { step: '3', deeper: '7' } },
    { goto: 'Inheritance.sol:34', locals: { step: '1', deeper: '8' } },
    { goto: 'Inheritance.sol:46', locals: { step: '1', out: '18' }, values: { counter: '7' } },
    {
      over: 1,
      at: 'Inheritance.sol:13',
      locals: { by: '8' },
      values: { counter: '18', 'Base.secret': '8' },
    },
    { continue: 'end', values: { counter: '18', 'Base.secret': '0', 'Right.secret': '5' } },
    { reverse: { write: 'counter' }, at: 'Inheritance.sol:46', values: { counter: '7' } },
    { reverse: { write: 'counter' }, at: 'Inheritance.sol:17', values: { counter: '1' } },
    { reverse: { write: 'Base.secret' }, at: 'Inheritance.sol:11', locals: { by: '8' } },
  ]);
});
