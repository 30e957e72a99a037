import assert from 'node:assert/strict';
import { Interface, keccak256 } from 'ethers';
import { ApiError } from '../../../server/api/errors';
import type { Writer } from '../../../server/api/recording-writers';
import { writersAnswer } from '../../../server/debugger/answers/writers';
import type { WritersQuery } from '../../../server/debugger/answers/writers-query';
import type { DebuggedTransaction } from '../../../server/debugger/session/debugged-transaction';
import { debugCall } from './debug-call';
import { CALLER, SENDER } from './record';
import { compile } from './solidity';

const TEXT = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;
contract Heir { constructor() payable {} function end(address payable to) external { selfdestruct(to); } }
contract Store {
    uint256 guard;
    uint64 a; uint64 b;
    mapping(address => uint256) balances;
    mapping(uint256 => address) owners;
    string text;
    event Done(uint256 value);
    function run() external payable {
        guard = 1;
        a = 1;
        b = 2;
        b = 2;
        balances[msg.sender] += 7;
        owners[55] = msg.sender;
        text = "a text that needs more than one slot of storage";
        try this.fail() {} catch {}
        payable(msg.sender).transfer(3);
        Heir heir = new Heir{value: 5}();
        heir.end(payable(address(0xd00d)));
        emit Done(guard);
        guard = 0;
    }
    function fail() external { guard = 9; revert("no"); }
}`;
const ABI = ['function run() payable', 'function fail()', 'event Done(uint256 value)'];
const SIGNAL = new AbortController().signal;
const word = (value: number | bigint): string => `0x${value.toString(16).padStart(64, '0')}`;
const lineOf = (text: string): number =>
  TEXT.split('\n').findIndex((line) => line.includes(text)) + 1;
const HEIR_END = `0x${'d00d'.padStart(40, '0')}`;

describe('the writers of a recording', () => {
  let debugged: DebuggedTransaction;
  before(async () => {
    const data = new Interface(ABI).encodeFunctionData('run');
    const call = { input: Buffer.from(data.slice(2), 'hex'), value: 100n };
    const settings = { evmVersion: 'cancun' };
    debugged = await debugCall(compile('Store', TEXT, settings), call, ABI);
  });

  const ask = async (query: Partial<WritersQuery>): ReturnType<typeof writersAnswer> =>
    writersAnswer(debugged, { access: 'write', ...query }, SIGNAL);
  const texts = (writers: readonly Writer[]): string[] =>
    writers.map(({ function: name, place, before = '', after = '', isUndone, access }) =>
      [
        access === 'read' ? 'read' : `${short(before)} -> ${short(after)}`,
        `${name}:${place?.startLine ?? '?'}`,
        ...(isUndone ? ['undone'] : []),
      ].join(' '),
    );
  const short = (value: string): string =>
    value.startsWith('0x') ? BigInt(value).toString(16) : value;
  const writes = async (query: Partial<WritersQuery>): Promise<string[]> =>
    texts((await ask(query)).writers);

  it('of a slot are all writes that change it, with those that are undone', async () => {
    assert.deepEqual(await writes({ address: CALLER, slot: word(0) }), [
      `0 -> 1 run:${lineOf('guard = 1')}`,
      `1 -> 9 fail:${lineOf('guard = 9')} undone`,
      `1 -> 0 run:${lineOf('guard = 0')}`,
    ]);
  });

  it('of a part of a slot leave out those of its neighbours, and those that change nothing', async () => {
    const part = { address: CALLER, slot: word(1), length: 8 };
    const first = `0 -> 1 run:${lineOf('a = 1')}`;
    const second = `1 -> 20000000000000001 run:${lineOf('b = 2')}`;
    assert.deepEqual(await writes({ ...part }), [first]);
    assert.deepEqual(await writes({ ...part, offset: 8 }), [second]);
    const same = `20000000000000001 -> 20000000000000001 run:${lineOf('b = 2') + 1}`;
    const all = await writes({ ...part, offset: 8, access: 'readWrite' });
    // The reads that keep the other value of the slot are none of this one.
    assert.equal(all.filter((text) => text.startsWith('read ')).length, 0);
    assert.deepEqual(
      all.filter((text) => !text.startsWith('read ')),
      [second, same],
    );
  });

  it('of a read alone are no writes', async () => {
    const reads = await writes({ address: CALLER, slot: word(0), access: 'read' });
    assert.deepEqual(reads, [`read run:${lineOf('emit Done')}`]);
  });

  it('of a text are those of its content', async () => {
    const all = await ask({ address: CALLER, slot: word(4), isBytes: 'true' });
    const content = BigInt(keccak256(word(4)));
    assert.deepEqual(
      all.writers.map(({ slot }) => slot).sort(),
      [word(4), word(content), word(content + 1n)].sort(),
    );
    assert.equal(all.total, 3);
  });

  it('of ether are the calls that pay, the creation and the destruction', async () => {
    assert.deepEqual(await writes({ address: CALLER, of: 'balance' }), [
      '0 -> 100 :?',
      `100 -> 97 run:${lineOf('transfer(3)')}`,
      `97 -> 92 run:${lineOf('new Heir')}`,
    ]);
    assert.deepEqual(await writes({ address: HEIR_END, of: 'balance' }), ['0 -> 5 :?']);
    const [first, second] = (await ask({ address: SENDER, of: 'balance' })).writers;
    assert.deepEqual(
      [first, second].map((one) => [one?.step === null, one?.before, one?.after]),
      [
        [true, String(10n ** 20n), String(10n ** 20n - 100n)],
        [false, String(10n ** 20n - 100n), String(10n ** 20n - 97n)],
      ],
    );
  });

  it('of nonces are the transaction and the creations, and code has its creation and its end', async () => {
    assert.deepEqual(await writes({ address: SENDER, of: 'nonce' }), ['0 -> 1 :?']);
    assert.deepEqual(await writes({ address: CALLER, of: 'nonce' }), [
      `1 -> 2 run:${lineOf('new Heir')}`,
    ]);
    const { writers } = await ask({ of: 'code' });
    assert.deepEqual(
      writers.map(({ function: name }) => name),
      ['constructor', ''],
    );
  });

  it('of a token are those of the slot whose change is that of the balance', async () => {
    const token = { address: SENDER, asset: CALLER };
    const expected = [`0 -> 7 run:${lineOf('balances[msg.sender]')}`];
    assert.deepEqual(await writes({ ...token, change: '7' }), expected);
    assert.deepEqual(await writes(token), expected);
    const none = await ask({ ...token, change: '8' });
    assert.deepEqual(
      [none.total, none.unavailable],
      [0, `no slot of ${CALLER} is certain to hold the balance of ${SENDER}`],
    );
    assert.equal(
      (await ask({ address: SENDER, asset: HEIR_END })).unavailable,
      `no slot of ${HEIR_END} changes`,
    );
  });

  it('of an ERC-721 token are those of its owner', async () => {
    const token = { address: SENDER, asset: CALLER, tokenId: '55', change: '1' };
    assert.deepEqual(await writes(token), [`0 -> ${SENDER.slice(2)} run:${lineOf('owners[55]')}`]);
  });

  it('of everything are in the order of execution, in pages', async () => {
    const { writers, total } = await ask({ count: 4 });
    assert.deepEqual(
      writers.map(({ kind, step }) => `${kind} ${step === null}`),
      ['nonce true', 'balance true', 'balance true', 'storage false'],
    );
    const rest = await ask({ start: 4, count: 1_000 });
    assert.equal(rest.writers.length, total - 4);
    const steps = rest.writers.map(({ step }) => step ?? -1);
    assert.deepEqual(
      steps,
      steps.toSorted((a, b) => a - b),
    );
    const events = await ask({ of: 'event' });
    assert.deepEqual(texts(events.writers), [` ->  run:${lineOf('emit Done')}`]);
  });

  for (const [query, message] of [
    [{ slot: word(0) }, `slot is "${word(0)}"; accepted: together with address`],
    [{ offset: 1 }, 'offset is 1; accepted: together with slot'],
    [{ address: CALLER, change: '1' }, 'change is "1"; accepted: together with asset'],
    [
      { address: CALLER, slot: word(0), of: 'nonce' },
      `slot is "${word(0)}"; accepted: with of=storage or of=transient, not of=nonce`,
    ],
  ] as [Partial<WritersQuery>, string][]) {
    it(`refuse ${JSON.stringify(query).slice(0, 60)}`, async () => {
      await assert.rejects(ask(query), (error: unknown) => {
        assert.ok(error instanceof ApiError);
        assert.equal(error.message, message);
        return true;
      });
    });
  }
});
