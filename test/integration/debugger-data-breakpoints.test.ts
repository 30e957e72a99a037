import assert from 'node:assert/strict';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { DebugSession } from '../support/debug-session';
import { THIEF, useDebugger, useWorkspaceContract } from './debugger-suite';

const STORE = `pragma solidity ^0.8.24;
contract Store {
    struct Pack { uint64 a; uint64 b; address who; uint256 sum; }
    uint256 guard;
    Pack pack;
    mapping(address => mapping(uint256 => Pack)) packs;
    uint8[] small;
    uint16[20] fixedList;
    uint256[300] board;
    uint256 transient temp;
    function run() external {
        guard = 1;
        pack.a = 1;
        pack.b = 2;
        pack.who = msg.sender;
        pack.sum = 3;
        packs[msg.sender][7].b = 4;
        small.push(5);
        small.push(6);
        small[1] = 7;
        fixedList[17] = 8;
        temp = 9;
        pack.sum = temp;
        delete packs[msg.sender][7];
        guard = 0;
    }
}
`;
const lineOf = (text: string): number =>
  STORE.split('\n').findIndex((line) => line.includes(text)) + 1;

describe('data breakpoints of the debugger', () => {
  const suite = useDebugger();
  const settings = { optimizer: { enabled: false }, evmVersion: 'cancun' };
  useWorkspaceContract(suite, 'Store', STORE, settings);
  let debug: DebugSession;
  beforeEach(() => {
    debug = suite.debug;
  });

  const info = (name: string): Promise<DebugProtocol.DataBreakpointInfoResponse['body']> =>
    debug.ask<DebugProtocol.DataBreakpointInfoResponse>('dataBreakpointInfo', { name });

  async function watch(
    name: string,
    accessType: DebugProtocol.DataBreakpointAccessType = 'write',
  ): Promise<void> {
    const { dataId } = await info(name);
    await debug.setDataBreakpointsRequest({ breakpoints: [{ dataId: dataId!, accessType }] });
  }

  async function walk(command: 'continue' | 'reverseContinue'): Promise<string[]> {
    const stops: string[] = [];
    for (;;) {
      const { reason, description = '' } = await debug.move(command);
      if (reason !== 'data breakpoint') return stops;
      stops.push(`${description} ${await suite.line()}`);
    }
  }

  for (const [name, ...writes] of [
    ['pack', 'pack.a =', 'pack.b =', 'pack.who =', 'pack.sum = 3', 'pack.sum = temp'],
    ['pack.b', 'pack.b =: 0 → 2'],
    ['pack.who', `pack.who =: 0x${'0'.repeat(40)} → ${THIEF}`],
    ['packs[msg.sender][7].b', 'packs[msg.sender][7].b =: 0 → 4', 'delete packs: 4 → 0'],
    ['fixedList', 'fixedList[17] ='],
    ['fixedList[17]', 'fixedList[17] =: 0 → 8'],
    ['guard', 'guard = 1: 0 → 1', 'guard = 0: 1 → 0'],
    ['temp', 'temp = 9: 0 → 9'],
  ] as const) {
    it(`stop where ${name} is written, with its values, forwards and backwards`, async () => {
      await watch(name);
      const expected = writes.map((write) => {
        const [text = '', values] = write.split(': ');
        return `Write of ${name}${values === undefined ? '' : `: ${values}`} ${lineOf(text)}`;
      });
      assert.deepEqual(await walk('continue'), expected);
      assert.deepEqual((await walk('reverseContinue')).reverse(), expected);
    });
  }

  it('stop where a transient variable is read, and its slot in storage is another one', async () => {
    await watch('temp', 'read');
    assert.deepEqual(await walk('continue'), [`Read of temp ${lineOf('pack.sum = temp')}`]);
  });

  it('stop at the length of a list, and at an element once it is there', async () => {
    const { description } = await info('small');
    assert.equal(description, 'small.length');
    await watch('small');
    const pushes = ['push(5)', 'push(6)'].map(
      (text, index) => `Write of small.length: ${index} → ${index + 1} ${lineOf(text)}`,
    );
    assert.deepEqual(await walk('continue'), pushes);
    await watch('small[1]');
    const backwards = [
      `Write of small[1]: 6 → 7 ${lineOf('small[1] = 7')}`,
      `Write of small[1]: 0 → 6 ${lineOf('push(6)')}`,
    ];
    assert.deepEqual(await walk('reverseContinue'), backwards);
  });

  for (const [name, description] of [
    ['small[1]', 'small[1] cannot be watched: the index 1 is not below the length 0.'],
    ['packs', 'packs is a mapping: choose an entry, such as packs[…].'],
    ['packs[msg.sender]', /^packs\[msg.sender\] is a mapping: choose an entry/],
    ['board', 'board has 300 slots; accepted are up to 256: choose an element.'],
    ['msg.sender', 'msg.sender is not in the storage of a contract.'],
    ['nothing', /^Expression "nothing": nothing is not known here; known are/],
    ['', /^Expression "": the expression ends where a value is expected/],
  ] as const) {
    it(`are refused with the reason: ${name}`, async () => {
      const found = await info(name);
      assert.equal(found.dataId, null);
      if (typeof description === 'string') assert.equal(found.description, description);
      else assert.match(found.description, description);
    });
  }
});
