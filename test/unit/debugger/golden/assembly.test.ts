import { Interface } from 'ethers';
import { golden } from './golden';

const till = {
  file: 'Transient.sol',
  deploy: { till: ['Till'], greedy: ['Greedy', 'till'] },
} as const;
const ENTERED = new Interface(['error Error(string)']).encodeErrorResult('Error', ['entered']);

describe('golden scripts of transient storage and inline assembly', () => {
  golden(
    'a call that comes in again, and a lock that refuses it',
    {
      ...till,
      transaction: { to: 'till', call: 'pay(address)', arguments: ['greedy'], value: 10n },
    },
    [
      {
        goto: 'Transient.sol:11',
        locals: {},
        values: { entered: 'false', depth: '0', 'msg.value': '10' },
      },
      {
        goto: 'Transient.sol:19',
        locals: { to: 'greedy' },
        values: { entered: 'true', depth: '1', 'paid[to]': '0' },
      },
      {
        goto: 'Transient.sol:33',
        stack: ['Greedy.receive:33', 'Till.pay(to: greedy):20'],
        values: { 'msg.value': '5', till: 'till' },
        callers: [{ locals: { to: 'greedy' }, values: { 'paid[greedy]': '10', entered: 'true' } }],
      },
      {
        continue: { failure: 'all' },
        at: 'Transient.sol:11',
        says: 'entered',
        stack: ['Till.pay(to: greedy):11', 'Greedy.receive:33', 'Till.pay(to: greedy):20'],
        values: { entered: 'true', depth: '1', 'msg.sender': 'greedy' },
      },
      {
        goto: 'Transient.sol:21',
        locals: { to: 'greedy', ok: 'false', answer: `hex"${ENTERED.slice(2)}"` },
        values: { 'paid[greedy]': '10' },
      },
      {
        over: 1,
        at: 'Transient.sol:14',
        locals: {},
        values: { 'paid[greedy]': '100', entered: 'true' },
      },
      { continue: 'end', values: { entered: 'false', depth: '1' } },
      {
        reverse: { write: 'paid[greedy]' },
        at: 'Transient.sol:21',
        values: { 'paid[greedy]': '10' },
      },
    ],
  );

  golden(
    'variables and functions of inline assembly: 1 + 4 + 9',
    {
      file: 'Transient.sol',
      deploy: { machine: ['Machine'] },
      transaction: { to: 'machine', call: 'run(uint256)', arguments: [4] },
    },
    [
      {
        goto: 'Transient.sol:44',
        time: 2,
        stack: ['Machine.square(x: 2):44', 'Machine.run(n: 4):47'],
        locals: { x: '2', y: '0' },
        callers: [{ locals: { n: '4', total: '1', i: '2' } }],
      },
      { goto: 'Transient.sol:48', time: 3, locals: { n: '4', total: '5', i: '3', s: '9' } },
      { back: 1, at: 'Transient.sol:47', locals: { n: '4', total: '5', i: '3' } },
      {
        goto: 'Transient.sol:52',
        locals: { n: '4', total: '14', slot: '0' },
        state: { kept: '14' },
      },
      { goto: 'Transient.sol:55', locals: { n: '4', total: '14', next: '15' } },
      { continue: 'end', state: { kept: '15' } },
      { reverse: { write: 'kept' }, at: 'Transient.sol:55', state: { kept: '14' } },
      { reverse: { write: 'kept' }, at: 'Transient.sol:50', state: { kept: '0' } },
    ],
  );
});
