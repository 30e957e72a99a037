import { golden } from './golden';

const NAME = 'a title that is longer than thirty-one bytes';
const QUOTED = `"${NAME}"`;

describe('golden scripts of variables in storage and memory', () => {
  golden(
    'structs, mappings in mappings, lists, texts, enums',
    {
      file: 'Registry.sol',
      deploy: { registry: ['Registry'] },
      transaction: {
        to: 'registry',
        call: 'fill(string,bytes,uint256)',
        arguments: [NAME, '0x0102', 42],
      },
    },
    [
      {
        goto: 'Registry.sol:27',
        stack: [`Registry.fill(name: ${QUOTED}, data: hex"0102", id: 42):27`],
        locals: { name: QUOTED, data: 'hex"0102"', id: '42' },
        state: {
          title: '"short"',
          blob: 'hex""',
          entries: '[]',
          byOwner: '1 known key',
          named: '1 known key',
          fixedOnes: '[0, 0, 0, 0, 0]',
          status: 'Registry.Status.None',
          debt: '0',
          tag: '0x00000000',
        },
      },
      {
        goto: 'Registry.sol:29',
        values: { title: QUOTED, blob: 'hex"0102"', 'entries.length': '0' },
        before: { title: '"short"', blob: 'hex""', 'entries.length': 'unchanged' },
      },
      {
        goto: 'Registry.sol:36',
        locals: { name: QUOTED, data: 'hex"0102"', id: '42', entry: '5 members' },
        values: {
          entry: {
            amount: '7',
            status: 'Registry.Status.Closed',
            paid: 'false',
            owner: 'alice',
            parts: '[10, 20]',
          },
          'entries[0].amount': '7',
          'byOwner[alice][42].amount': '0',
        },
      },
      {
        over: 1,
        at: 'Registry.sol:37',
        values: {
          byOwner: { '[alice]': '1 known key' },
          'byOwner[msg.sender]': { '[42]': '5 members' },
          'byOwner[alice][id].parts': '[10, 20]',
          'byOwner[alice][id].status == Status.Closed': 'true',
          'byOwner[alice][id].owner == msg.sender': 'true',
        },
      },
      {
        goto: 'Registry.sol:42',
        values: {
          named: { [`[${QUOTED}]`]: '42' },
          'named[name]': '42',
          fixedOnes: '[0, 0, 0, 300, 0]',
          status: 'Registry.Status.Open',
          debt: '-5',
          tag: '0xdeadbeef',
        },
      },
      {
        over: 1,
        at: 'Registry.sol:43',
        values: { 'entries[0].parts': '[0, 20]', 'byOwner[alice][42].parts': '[10, 20]' },
      },
      { over: 1, at: 'Registry.sol:44', values: { entries: '[]', 'entry.amount': '0' } },
      { continue: 'end', values: { title: '""', blob: 'hex"0102"' } },
      {
        reverse: { write: `named[${QUOTED}]` },
        at: 'Registry.sol:37',
        values: { 'named[name]': '0' },
      },
      // The same slot holds debt and tag.
      { continue: { write: 'tag' }, at: 'Registry.sol:41', values: { debt: '-5' } },
      { reverse: { write: 'debt' }, at: 'Registry.sol:40', values: { debt: '0' } },
      { reverse: { write: 'status' }, at: 'Registry.sol:39' },
      {
        reverse: { write: 'byOwner[alice][42].amount' },
        at: 'Registry.sol:36',
        values: { 'byOwner[alice][42].amount': '0', debt: '0' },
      },
    ],
  );

  const tag = 'aa'.repeat(32);
  golden(
    'structs, arrays and texts in memory and call data',
    {
      file: 'Memory.sol',
      deploy: { memory: ['Memory'] },
      transaction: {
        to: 'memory',
        call: 'run(string,(int32,int32)[],bytes32)',
        arguments: [
          'trip',
          [
            [1, 2],
            [3, 4],
          ],
          `0x${tag}`,
        ],
      },
    },
    [
      {
        goto: 'Memory.sol:27',
        time: 2,
        locals: {
          name: '"trip"',
          points: '2 elements',
          tag: `0x${tag}`,
          path: '3 members',
          i: '1',
          copy: '{x: -3, y: 4}',
        },
        values: {
          points: { '[0]': '{x: 1, y: 2}', '[1]': '{x: 3, y: 4}' },
          'path.points': { '[0]': '{x: -1, y: 2}', '[1]': '{x: 0, y: 0}' },
          'path.name': '"trip"',
          'path.last': '{x: 0, y: 0}',
        },
      },
      {
        goto: 'Memory.sol:32',
        values: {
          last: '{x: -3, y: 100}',
          'path.last.y': '100',
          'path.points[1]': { x: '-3', y: '100' },
          'path.points[0].y': '2',
        },
      },
      { over: 1, at: 'Memory.sol:33', values: { packed: `hex"${tag}00000064"` } },
      {
        over: 1,
        at: 'Memory.sol:34',
        values: { packed: `hex"ff${tag.slice(2)}00000064"`, 'packed.length': '36' },
      },
      { over: 1, at: 'Memory.sol:35', values: { words: { '[0]': '"one"', '[1]': '"trip"' } } },
      { over: 1, at: 'Memory.sol:36', values: { words: { '[0]': '"trip!"', '[1]': '"trip"' } } },
      {
        into: 1,
        at: 'Memory.sol:40',
        locals: { point: '{x: -3, y: 100}' },
        callers: [{ values: { last: '{x: -3, y: 100}' } }],
      },
      { over: 1, at: 'Memory.sol:41', locals: { point: '{x: -3, y: 100}' } },
      { over: 1, at: 'Memory.sol:42', locals: { point: '{x: 100, y: -3}' } },
      { out: 1, at: 'Memory.sol:36' },
      { over: 1, at: 'Memory.sol:37', values: { x: '100', y: '-3', 'path.last.x': '100' } },
      { continue: { failure: 'uncaught' }, at: 'Memory.sol:37', says: 'not equal' },
      { backOver: 2, at: 'Memory.sol:36', values: { 'last.x': '-3' } },
    ],
  );
});
