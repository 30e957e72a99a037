import assert from 'node:assert/strict';
import { readLaunch } from '../../../../../extension/debugger/adapter/launch';

const hash = `0x${'ab'.repeat(32)}`;

describe('the configuration of a session', () => {
  it('names a transaction of a chain or a fork', () => {
    assert.deepEqual(readLaunch({ chain: 'eth', hash: hash.toUpperCase().replace('X', 'x') }), {
      chain: 'eth',
      hash,
      stopAt: 'entry',
      changes: [],
      build: 'executed',
    });
    assert.deepEqual(readLaunch({ fork: 'fork_1', hash, stopAt: 7 }), {
      chain: 'fork_1',
      hash,
      stopAt: 7,
      changes: [],
      build: 'executed',
    });
    assert.deepEqual(readLaunch({ chain: 'eth', hash, stopAt: { call: 3, more: 1 } }).stopAt, {
      call: 3,
    });
    assert.deepEqual(readLaunch({ chain: 'eth', hash, stopAt: { step: 7 } }).stopAt, { step: 7 });
  });

  it('holds an unsent transaction', () => {
    const simulate = { from: '0x12', data: '0x' };
    assert.deepEqual(readLaunch({ chain: 'eth', simulate, stopAt: 'failure' }), {
      chain: 'eth',
      simulate,
      stopAt: 'failure',
      changes: [],
      build: 'executed',
    });
    const changes = ['total = 5'];
    assert.deepEqual(readLaunch({ chain: 'eth', simulate, changes }).changes, changes);
  });

  const CHAIN = 'the slug of a chain, or the id of a fork';
  const PLACE =
    "'entry', 'failure', the number of a node in the call tree, { call } with the index of a call in the recording, or { step } with the number of a step";
  const refused: [args: unknown, message: string][] = [
    [null, `chain is missing; accepted: ${CHAIN}`],
    [{ chain: 1, hash }, `chain is 1; accepted: ${CHAIN}`],
    [{ chain: 'eth' }, 'hash is missing; accepted: a transaction hash: 0x and 64 hex digits'],
    [
      { chain: 'eth', hash: '0x12' },
      'hash is "0x12"; accepted: a transaction hash: 0x and 64 hex digits',
    ],
    [{ chain: 'eth', hash, changes: [5] }, 'changes is [5]; accepted: up to 100 texts'],
    [{ chain: 'eth', hash, stopAt: -1 }, `stopAt is -1; accepted: ${PLACE}`],
    [{ chain: 'eth', hash, stopAt: { call: -1 } }, `stopAt is {"call":-1}; accepted: ${PLACE}`],
    [{ chain: 'eth', hash, stopAt: 'end' }, `stopAt is "end"; accepted: ${PLACE}`],
    [
      { chain: 'eth', simulate: [] },
      'simulate is []; accepted: an object with from, to, data and so on',
    ],
    [
      { chain: 'eth', hash: 'x', simulate: {} },
      'hash is "x"; accepted: none together with simulate',
    ],
  ];
  for (const [args, message] of refused) {
    it(`is refused: ${message}`, () => {
      assert.throws(() => readLaunch(args), { message });
    });
  }
});
