import { golden } from './golden';
import type { Scene } from './stage';

const bank: Omit<Scene, 'transaction'> = {
  file: 'Bank.sol',
  version: '0.4.26',
  deploy: { bank: ['Bank'] },
  before: [{ to: 'bank', data: '0x', value: 100n }],
};

describe('golden scripts of Solidity 0.4.26', () => {
  golden(
    'variables of whole functions, and creations',
    {
      ...bank,
      transaction: { from: 'deployer', to: 'bank', call: 'open(uint256)', arguments: [11] },
    },
    [
      { goto: 'Bank.sol:11', stack: ['Bank.open(amount: 11):11'], values: { owner: 'deployer' } },
      // All variables are made where the function begins, each with the place of its declaration: that enters no line.
      {
        goto: 'Bank.sol:37',
        stack: ['Bank.open(amount: 11):37'],
        locals: { amount: '11', half: '0', i: '0', share: '0', purse: `0x${'00'.repeat(20)}` },
      },
      {
        goto: 'Bank.sol:41',
        time: 2,
        locals: { amount: '11', half: '5', i: '1', share: '6', purse: 'purse2' },
        values: { purses: '[purse1]' },
      },
      {
        back: 2,
        stack: ['Purse.constructor(from_: bank):22', 'Bank.open(amount: 11):40'],
        locals: { from_: 'bank' },
        values: { 'msg.value': '6', from: 'bank', kept: '0' },
        callers: [{ locals: { amount: '11', half: '5', i: '1', share: '6', purse: 'purse1' } }],
      },
      { goto: 'Bank.sol:43', values: { tiny: '250', i: '2', 'purses.length': '2' } },
      {
        over: 1,
        at: 'Bank.sol:44',
        locals: { amount: '11', half: '5', i: '2', share: '6', purse: 'purse2' },
        values: { tiny: '4', purses: '[purse1, purse2]' },
      },
      { continue: 'end' },
    ],
  );

  golden(
    'throw, in a modifier',
    { ...bank, transaction: { from: 'bob', to: 'bank', call: 'open(uint256)', arguments: [1] } },
    [
      {
        continue: { failure: 'uncaught' },
        at: 'Bank.sol:11',
        says: 'reverted without a message',
        stack: ['Bank.open(amount: 1):11'],
        values: { 'msg.sender == owner': 'false' },
      },
      { reverse: 'start', at: 'Bank.sol:36' },
    ],
  );

  golden(
    'the fallback function without a name',
    { ...bank, transaction: { from: 'bob', to: 'bank', data: '0x', value: 5n } },
    [
      {
        goto: 'Bank.sol:33',
        stack: ['Bank.fallback:33'],
        locals: {},
        values: { 'balances[bob]': '0', 'balances[msg.sender]': '0', 'msg.value': '5' },
      },
      { continue: 'end', values: { 'balances[bob]': '5' } },
    ],
  );
});

describe('golden scripts of Solidity 0.5.17', () => {
  const text = 'a text that is longer than thirty-one bytes';
  const hex = Buffer.from(text).toString('hex');
  const changed = `58${hex.slice(2)}`;
  golden(
    'structs, enums and bytes',
    {
      file: 'Ledger.sol',
      version: '0.5.17',
      deploy: { ledger: ['Ledger'] },
      transaction: {
        to: 'ledger',
        call: 'write((bytes,uint8,int16),bytes32,uint8)',
        arguments: [[`0x${hex}`, 1, 300], `0x${'11'.repeat(32)}`, 7],
      },
    },
    [
      {
        goto: 'Ledger.sol:8',
        locals: { day: 'Dates.Day.Sunday' },
        callers: [
          {
            locals: { line: '3 members', key: `0x${'11'.repeat(32)}`, page: '7', count: '0' },
            values: { line: { text: `hex"${hex}"`, day: 'Dates.Day.Tuesday', sum: '300' } },
          },
        ],
      },
      { goto: 'Ledger.sol:25', values: { 'line.day': 'Dates.Day.Monday' } },
      {
        goto: 'Ledger.sol:28',
        locals: {
          line: '3 members',
          key: `0x${'11'.repeat(32)}`,
          page: '7',
          count: '0',
          kept: '3 members',
        },
        values: {
          kept: { text: `hex"${hex}"`, day: 'Dates.Day.Monday', sum: '-300' },
          'index[7][key].sum': '-300',
          index: { '[7]': '1 known key' },
        },
      },
      { goto: 'Ledger.sol:31', values: { copy: `hex"${changed}"`, 'kept.text': `hex"${hex}"` } },
      {
        over: 1,
        at: 'Ledger.sol:32',
        values: { 'lines[0].text': `hex"${changed}"`, 'lines[0].sum': '300' },
      },
      { goto: 'Ledger.sol:9', locals: { day: 'Dates.Day.Monday' } },
      {
        goto: 'Ledger.sol:34',
        values: { today: 'Dates.Day.Tuesday', count: '1' },
        before: { today: 'Dates.Day.Sunday' },
      },
      { continue: 'end', values: { 'index[7]': '1 known key', 'lines.length': '1' } },
      { reverse: { write: 'lines' }, at: 'Ledger.sol:28' },
    ],
  );
});

describe('golden scripts of Solidity 0.6.12', () => {
  // keccak256(hex"ff")
  const mark = '0x8b1a944cf13a9a1c08facb2c9e98623ef3254d2ddb48113885c3e8e97fec8db9';
  golden(
    'overridden functions, slices of call data, pushed references, and try',
    {
      file: 'Market.sol',
      version: '0.6.12',
      deploy: { market: ['Market'], buyer: ['Buyer'] },
      transaction: { to: 'buyer', call: 'tour(address)', arguments: ['market'] },
    },
    [
      {
        goto: 'Market.sol:12',
        stack: [
          'Priced.price(count: 10) of Market:12',
          'Market.price(count: 10):24',
          'Market.buy(count: 10, note: hex"0102ff"):33',
          'Buyer.tour(market: market):45',
        ],
        locals: { count: '10' },
        values: { floor: '3', sold: '250' },
        callers: [
          { locals: { count: '10' } },
          {
            values: {
              note: 'hex"0102ff"',
              order: { buyer: 'buyer', count: '10', paid: '0' },
              'orders.length': '1',
            },
          },
          { locals: { market: 'market', failures: '0', note: 'hex"0102ff"' } },
        ],
      },
      { goto: 'Market.sol:25', locals: { count: '10', full: '30' } },
      { goto: 'Market.sol:34', values: { 'order.paid': '20', sold: '250' } },
      // 250 + 10, modulo 256: nothing checks arithmetic before 0.8.
      { over: 1, at: 'Market.sol:35', values: { sold: '4' }, before: { sold: '250' } },
      { over: 1, at: 'Market.sol:36', values: { tail: 'hex"ff"', 'note.length': '3' } },
      {
        goto: 'Market.sol:46',
        stack: ['Buyer.tour(market: market):46'],
        values: { mark, failures: '0' },
      },
      {
        continue: { failure: 'all' },
        at: 'Market.sol:29',
        says: 'none',
        stack: ['Market.buy(count: 0, note: hex"0102ff"):29', 'Buyer.tour(market: market):46'],
        values: { 'orders.length': '1' },
      },
      { goto: 'Market.sol:49', values: { reason: '"none"', failures: '0', mark } },
      {
        goto: 'Market.sol:35',
        time: 2,
        stack: ['Market.buy(count: 1, note: hex"01"):35', 'Buyer.tour(market: market):52'],
        values: { sold: '5', 'orders.length': '2', 'orders[1].paid': '3' },
      },
      { continue: { failure: 'all' }, at: 'Market.sol:35', says: 'reverted without a message' },
      { goto: 'Market.sol:55', values: { data: 'hex""', failures: '1', why: '"none"' } },
      { over: 1, at: 'Market.sol:54', values: { failures: '2' } },
      { continue: 'end', values: { why: '"none"' } },
      // The write of the call that failed was taken back, but it was made.
      { reverse: { function: 'Market.buy' }, values: { count: '1', sold: '4' } },
      { reverse: { line: 'Market.sol:34', condition: 'count == 10' }, values: { sold: '250' } },
    ],
  );
});

describe('golden scripts of Solidity 0.7.6', () => {
  golden(
    'receive, fallback, try, and a library of arithmetic',
    {
      file: 'Jar.sol',
      version: '0.7.6',
      deploy: { jar: ['Jar'], guest: ['Guest'] },
      transaction: { to: 'guest', call: 'visit(address)', arguments: ['jar'], value: 5n },
    },
    [
      {
        goto: 'Jar.sol:25',
        stack: ['Jar.receive:25', 'Guest.visit(jar: jar):47'],
        locals: { before: '0' },
        values: { total: '0', 'msg.value': '5' },
      },
      {
        goto: 'Jar.sol:30',
        stack: ['Jar.fallback:30', 'Guest.visit(jar: jar):49'],
        values: { note: 'hex"0badc0de01"', small: '255', total: '5' },
        callers: [{ locals: { jar: 'jar', sent: 'true' } }],
      },
      {
        goto: 'Jar.sol:6',
        stack: [
          'SafeMath.sub(a: 5, b: 1) of Jar:6',
          'Jar.take(amount: 1):34',
          'Guest.visit(jar: jar):50',
        ],
        locals: { a: '5', b: '1' },
        values: { small: '0', total: '5' },
      },
      {
        goto: 'Jar.sol:43',
        stack: ['Guest.receive:43', 'Jar.take(amount: 1):35', 'Guest.visit(jar: jar):50'],
        values: { 'msg.value': '1', 'msg.sender': 'jar', seen: 'hex""' },
        callers: [{ values: { total: '4' } }],
      },
      {
        continue: { failure: 'all' },
        at: 'Jar.sol:6',
        says: 'underflow',
        stack: [
          'SafeMath.sub(a: 4, b: 50) of Jar:6',
          'Jar.take(amount: 50):34',
          'Guest.visit(jar: jar):51',
        ],
      },
      {
        continue: { line: 'Jar.sol:54' },
        locals: { jar: 'jar', sent: 'true', reason: '"underflow"' },
      },
      { continue: 'end', values: { seen: `hex"${Buffer.from('underflow').toString('hex')}"` } },
      {
        reverse: { function: 'Jar.take' },
        stack: ['Jar.take(amount: 50):34', 'Guest.visit(jar: jar):51'],
      },
    ],
  );
});
