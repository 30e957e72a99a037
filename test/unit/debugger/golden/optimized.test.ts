import { golden } from './golden';
import type { Scene } from './stage';

const OPTIMIZED =
  'unavailable, because it was compiled with the optimizer, which moves and merges variables on the stack';
const VIA_IR =
  'unavailable, because it was compiled via IR, which keeps no record of where variables are';
const optimizer = { enabled: true, runs: 200 };

const factorial: Scene = {
  file: 'Arithmetic.sol',
  deploy: { numbers: ['Arithmetic'] },
  transaction: { to: 'numbers', call: 'factorial(uint256)', arguments: [4] },
};
const both: Scene = {
  file: 'Inheritance.sol',
  deploy: { both: ['Both'] },
  transaction: { to: 'both', call: 'visit(uint256)', arguments: [1] },
};
const readAll: Scene = {
  file: 'Failures.sol',
  deploy: { oracle: ['Oracle'], reader: ['Reader'] },
  transaction: { to: 'reader', call: 'readAll(address)', arguments: ['oracle'] },
};
const proxy: Scene = {
  file: 'Delegation.sol',
  deploy: { logic: ['Logic', 4], forwarder: ['Forwarder', 'logic'] },
  transaction: { to: 'forwarder', call: 'set(uint256)', arguments: [5] },
};
const bank: Scene = {
  file: 'Bank.sol',
  version: '0.4.26',
  deploy: { bank: ['Bank'] },
  before: [{ to: 'bank', data: '0x', value: 100n }],
  transaction: { from: 'deployer', to: 'bank', call: 'open(uint256)', arguments: [11] },
};
const jar: Scene = {
  file: 'Jar.sol',
  version: '0.7.6',
  deploy: { jar: ['Jar'], guest: ['Guest'] },
  transaction: { to: 'guest', call: 'visit(address)', arguments: ['jar'], value: 5n },
};

describe('golden scripts of code compiled with the optimizer', () => {
  const settings = { optimizer };

  golden('0.8.30: recursion keeps its arguments', { ...factorial, settings }, [
    {
      goto: 'Arithmetic.sol:14',
      time: 4,
      stack: [
        'Arithmetic.product(n: 1):14',
        'Arithmetic.product(n: 2):15',
        'Arithmetic.product(n: 3):15',
        'Arithmetic.product(n: 4):15',
        'Arithmetic.factorial(n: 4):9',
      ],
      locals: { n: '1' },
      callers: [{ locals: { n: '2' } }, { locals: { n: '3' } }],
    },
    // The optimizer moves an instruction of line 15 behind the first one of line 16, which does not enter line 16 twice.
    { goto: 'Arithmetic.sol:16', time: 3, locals: { n: '4', rest: OPTIMIZED } },
    { continue: { write: 'result' }, at: 'Arithmetic.sol:9', state: { result: '0' } },
    { continue: 'end', state: { result: '24' } },
  ]);

  golden('0.8.30: super through four contracts', { ...both, settings }, [
    {
      goto: 'Inheritance.sol:17',
      locals: { step: '6' },
      values: { 'Base.secret': '8', counter: '1' },
      callers: [{ values: { step: '3' } }, { values: { step: '1' } }],
    },
    { goto: 'Inheritance.sol:25', locals: { step: '3', deeper: OPTIMIZED } },
    { goto: 'Inheritance.sol:46', locals: { step: '1', out: OPTIMIZED }, values: { counter: '7' } },
    { continue: 'end', values: { counter: '18' } },
  ]);

  golden('0.8.30: clauses of a try statement', { ...readAll, settings }, [
    {
      goto: 'Failures.sol:25',
      locals: { oracle: 'oracle', kind: OPTIMIZED, reason: OPTIMIZED },
      values: { good: '5' },
    },
    {
      continue: { failure: 'panic' },
      at: 'Failures.sol:10',
      stack: ['Oracle.price(kind: 3):10', 'Reader.readAll(oracle: oracle):22'],
      locals: { kind: '3', value: OPTIMIZED, unit: OPTIMIZED },
    },
    { continue: 'end', state: { good: '155', lastReason: '"no price"' } },
  ]);

  golden('0.8.30: a proxy', { ...proxy, settings }, [
    {
      goto: 'Delegation.sol:28',
      stack: ['Logic.set(to: 5) in the storage of forwarder:28', 'Forwarder.fallback:46'],
      locals: { to: '5' },
      values: { value: '3', factor: '4', this: 'forwarder' },
    },
    { over: 1, at: 'Delegation.sol:29', values: { value: '20' } },
    { continue: 'end', values: { value: '20' } },
  ]);

  golden('0.4.26: a creation', { ...bank, settings }, [
    {
      goto: 'Bank.sol:22',
      stack: ['Purse.constructor(from_: bank):22', 'Bank.open(amount: 11):40'],
      locals: { from_: OPTIMIZED },
      values: { from: 'bank', 'msg.value': '5', 'msg.sender': 'bank' },
    },
    { goto: 'Bank.sol:44', values: { purses: '[purse1, purse2]', tiny: '4', amount: OPTIMIZED } },
  ]);

  golden('0.7.6: a library of arithmetic', { ...jar, settings }, [
    { goto: 'Jar.sol:25', values: { total: '0', before: OPTIMIZED } },
    {
      continue: { failure: 'all' },
      at: 'Jar.sol:6',
      says: 'underflow',
      locals: { a: '4', b: '50' },
      values: { total: '4', small: '0' },
    },
  ]);
});

for (const [how, settings] of [
  ['without the optimizer', { viaIR: true }],
  ['with the optimizer', { viaIR: true, optimizer }],
] as const) {
  describe(`golden scripts of code compiled via IR, ${how}`, () => {
    golden('recursion: the result, but no variables', { ...factorial, settings }, [
      {
        goto: 'Arithmetic.sol:14',
        time: 4,
        stack: [
          'Arithmetic.product:14',
          'Arithmetic.product:15',
          'Arithmetic.product:15',
          'Arithmetic.product:15',
          'Arithmetic.factorial(n: 4):9',
        ],
        locals: { n: VIA_IR },
      },
      { continue: { write: 'result' }, at: 'Arithmetic.sol:9', state: { result: '0' } },
      { continue: 'end', state: { result: '24' } },
    ]);

    golden('a proxy: state, immutables and the message', { ...proxy, settings }, [
      {
        goto: 'Delegation.sol:28',
        // Inline assembly has one place as a whole.
        stack: ['Logic.set(to: 5) in the storage of forwarder:28', 'Forwarder.fallback:44'],
        locals: { to: VIA_IR },
        values: { value: '3', factor: '4', this: 'forwarder', 'msg.sender': 'alice' },
      },
      { continue: { write: 'value' }, at: 'Delegation.sol:28', values: { value: '3' } },
      { reverse: 'start' },
    ]);

    golden('failures that are caught', { ...readAll, settings }, [
      {
        continue: { failure: 'all' },
        at: 'Failures.sol:8',
        says: 'no price',
        values: { kind: VIA_IR },
        callers: [{ values: { good: '5', oracle: VIA_IR } }],
      },
      { continue: { failure: 'all' }, at: 'Failures.sol:9' },
      { continue: { failure: 'all' }, at: 'Failures.sol:10' },
      { continue: 'end', state: { good: '155', lastReason: '"no price"' } },
    ]);
  });
}
