import { golden } from './golden';

describe('golden scripts of creations', function () {
  this.timeout(60_000);
  golden(
    'a transaction that creates a contract with a base',
    {
      file: 'Creation.sol',
      transaction: { create: 'Ship', arguments: ['Bea', 'bob', [5, 6]], value: 2n },
    },
    [
      { goto: 'Creation.sol:9', locals: { name_: '"Bea"', year: '2' }, values: { name: '""' } },
      { over: 1, at: 'Creation.sol:10', values: { name: '"Bea"' } },
      {
        goto: 'Creation.sol:24',
        locals: { name_: '"Bea"', captain_: 'bob', holds_: '[5, 6]' },
        values: {
          tons: '40',
          born: 'unavailable, because it is set as the contract is created',
          'msg.value': '2',
          this: 'ship1',
        },
      },
      {
        goto: 'Creation.sol:27',
        locals: { name_: '"Bea"', captain_: 'bob', holds_: '[5, 6]', extra: '42' },
        values: { holds: '[5, 6]', tons: '40' },
      },
      { continue: 'end', values: { tons: '42' } },
      { reverse: { write: 'tons' }, at: 'Creation.sol:27' },
      { reverse: { write: 'tons' }, at: 'Creation.sol:17', values: { tons: '0' } },
    ],
  );

  golden(
    'a contract that creates another one, and calls it',
    {
      file: 'Creation.sol',
      deploy: { yard: ['Yard'] },
      transaction: { to: 'yard', call: 'build(uint32)', arguments: [7], value: 1n },
    },
    [
      {
        goto: 'Creation.sol:26',
        stack: [
          'Ship.constructor(name_: "Ada", captain_: alice, holds_: [0, 7]):26',
          'Yard.build(size: 7):44',
        ],
        locals: { name_: '"Ada"', captain_: 'alice', holds_: '[0, 7]' },
        callers: [{ locals: { size: '7', holds: '[0, 7]' } }],
      },
      { out: 1, at: 'Creation.sol:44' },
      { over: 1, at: 'Creation.sol:45', values: { latest: 'ship1', loaded: '0' } },
      {
        goto: 'Creation.sol:33',
        stack: ['Ship.load():33', 'Yard.build(size: 7):45'],
        locals: { all: '7' },
        values: {
          born: '4',
          tons: '41',
          name: '"Ada"',
          holds: '[0, 7]',
          // No function reads it, so that the deployed code does not contain it.
          captain: 'unavailable, because its place in the code is not known',
        },
      },
      { continue: 'end', values: { loaded: '52' } },
    ],
  );

  golden(
    'a creation that fails, and is caught',
    {
      file: 'Creation.sol',
      deploy: { yard: ['Yard'] },
      transaction: { to: 'yard', call: 'tryBuild()' },
    },
    [
      {
        continue: { failure: 'all' },
        at: 'Creation.sol:28',
        says: 'too light',
        locals: {
          name_: '"Eve"',
          captain_: `0x${'01'.padStart(40, '0')}`,
          holds_: '[]',
          extra: '40',
        },
      },
      {
        continue: { line: 'Creation.sol:52' },
        locals: { failed: 'false', reason: '"too light"' },
        values: { latest: `0x${'00'.repeat(20)}` },
      },
      { continue: 'end', values: { latest: `0x${'00'.repeat(20)}` } },
    ],
  );
});

describe('golden scripts of code in the storage of others', function () {
  this.timeout(60_000);
  golden(
    'a proxy',
    {
      file: 'Delegation.sol',
      deploy: { logic: ['Logic', 4], forwarder: ['Forwarder', 'logic'] },
      transaction: { to: 'forwarder', call: 'set(uint256)', arguments: [5] },
    },
    [
      {
        goto: 'Delegation.sol:28',
        stack: ['Logic.set(to: 5) in the storage of forwarder:28', 'Forwarder.fallback:46'],
        locals: { to: '5' },
        values: {
          value: '3',
          factor: '4',
          logic: 'logic',
          this: 'forwarder',
          'msg.sender': 'alice',
        },
        callers: [{ locals: { to: 'logic' }, values: { value: '3', 'msg.sig': '0x60fe47b1' } }],
      },
      { over: 1, at: 'Delegation.sol:29', values: { value: '20' }, before: { value: '3' } },
      {
        out: 1,
        at: 'Delegation.sol:47',
        locals: { to: 'logic', done: '1' },
        values: { value: '20' },
      },
      {
        reverse: { write: 'value' },
        at: 'Delegation.sol:28',
        callers: [{ values: { value: '3' } }],
      },
      { reverse: 'start', at: 'Delegation.sol:43', locals: {} },
    ],
  );

  golden(
    'ether through a proxy that has no receive function',
    {
      file: 'Delegation.sol',
      deploy: { inlet: ['Inlet'], forwarder: ['Forwarder', 'inlet'] },
      transaction: { to: 'forwarder', data: '0x', value: 8n },
    },
    [
      { goto: 'Delegation.sol:43', stack: ['Forwarder.fallback:43'], values: { value: '3' } },
      {
        continue: { line: 'Delegation.sol:72' },
        stack: ['Inlet.receive in the storage of forwarder:72', 'Forwarder.fallback:46'],
        values: { 'msg.value': '8', value: '3' },
      },
      { out: 1, at: 'Delegation.sol:47', values: { value: '11', done: '1' } },
    ],
  );

  golden(
    'a library that is called, and one that is part of the code',
    {
      file: 'Delegation.sol',
      libraries: { maths: 'Maths' },
      deploy: { user: ['User'] },
      transaction: { to: 'user', call: 'run(uint256)', arguments: [6] },
    },
    [
      {
        goto: 'Delegation.sol:14',
        stack: ['Maths.twice(a: 6) of User:14', 'User.run(start: 6):61'],
        locals: { a: '6' },
        values: { pair: '{x: 6, y: 0}' },
      },
      {
        goto: 'Delegation.sol:9',
        stack: [
          'Maths.swap(pair: {x: 6, y: 12}, plus: 100) in the storage of user:9',
          'User.run(start: 6):62',
        ],
        locals: { pair: '{x: 6, y: 12}', plus: '100', old: '6' },
        callers: [{ locals: { start: '6', got: '0' }, values: { 'pair.y': '12' } }],
      },
      {
        over: 1,
        at: 'Delegation.sol:10',
        locals: { pair: '{x: 112, y: 12}', plus: '100', old: '6' },
      },
      { out: 1, at: 'Delegation.sol:62', values: { pair: '{x: 112, y: 6}' } },
      { over: 1, at: 'Delegation.sol:63', locals: { start: '6', got: '6' } },
      { continue: 'end', values: { 'pair.x': '112' } },
    ],
  );
});
