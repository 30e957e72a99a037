import assert from 'node:assert/strict';
import { emptyLock, keyOfEndpoint, type Lock } from '../../../../server/chains/lock/lock';
import { describeCall, lockedText } from '../../../../server/chains/lock/locked-call';
import { readLock } from '../../../../server/chains/lock/read-lock';
import { writeLock } from '../../../../server/chains/lock/write-lock';

const ACCOUNT = `0x${'ab'.repeat(20)}`;
const CODE = `0x${'60'.repeat(200)}`;
const HASH = `0x${'12'.repeat(32)}`;

/** A lock of two chains; the order of its reads does not matter. */
function example(): Lock {
  const lock = emptyLock();
  lock.endpoints.set(keyOfEndpoint({ kind: 'variable', name: 'B_URL' }), 10);
  lock.endpoints.set(keyOfEndpoint({ kind: 'foundry', name: 'mainnet' }), 1);
  const reads: [number, string, unknown[], object][] = [
    [10, 'eth_getCode', [ACCOUNT, '0x5'], { value: CODE }],
    [1, 'eth_getTransactionReceipt', [HASH], { value: null }],
    [1, 'eth_getCode', [ACCOUNT, '0x10'], { value: CODE }],
    [1, 'eth_getStorageAt', [ACCOUNT, '0x01', '0x9'], { value: '0x7' }],
    [1, 'eth_getBlockByNumber', ['0x9', false], { value: { number: '0x9', hash: HASH } }],
    [
      1,
      'eth_call',
      [{ to: ACCOUNT }, '0x9'],
      { error: { code: 3, message: 'reverted', data: '0x' } },
    ],
  ];
  for (const [id, method, params, outcome] of reads) {
    const chain = lock.chains.get(id) ?? { head: BigInt(id * 100), answers: new Map() };
    lock.chains.set(id, chain);
    const call = { method, params };
    chain.answers.set(lockedText(call), { call, outcome: outcome as { value: unknown } });
  }
  return lock;
}

const HASH_OF_CODE = '9c9eb34707106bfcd91c6eef4129a26f';

const LINES = [
  '{"forklensLock":1}',
  '{"foundry":"mainnet","chain":1}',
  '{"variable":"B_URL","chain":10}',
  '{"chain":1,"head":100}',
  '{"chain":1,"block":9}',
  `["eth_call",[{"to":"${ACCOUNT}"},"0x9"],{"code":3,"data":"0x","message":"reverted"},"error"]`,
  `["eth_getBlockByNumber",["0x9",false],{"hash":"${HASH}","number":"0x9"}]`,
  `["eth_getStorageAt",["${ACCOUNT}","0x1","0x9"],"0x7"]`,
  '{"chain":1,"block":16}',
  `["eth_getCode",["${ACCOUNT}","0x10"],"${HASH_OF_CODE}","value"]`,
  '{"chain":1,"block":"byHash"}',
  `["eth_getTransactionReceipt",["${HASH}"],null]`,
  '{"chain":10,"head":1000}',
  '{"chain":10,"block":5}',
  `["eth_getCode",["${ACCOUNT}","0x5"],"${HASH_OF_CODE}","value"]`,
  '{"values":"sha256"}',
  `["${HASH_OF_CODE}","${CODE}"]`,
];
const TEXT = `${LINES.join('\n')}\n`;

describe('a lockfile', () => {
  it('has one read a line, sorted by chain, block, method and parameters; long answers once', () => {
    assert.deepEqual(writeLock(example()).split('\n'), [...LINES, '']);
  });

  it('is read as it was written, whatever the order of its lines and ends of lines', () => {
    assert.equal(writeLock(readLock(TEXT)), TEXT);
    const [call = '', block = ''] = LINES.slice(5, 7);
    const mixed = TEXT.replace(`${call}\n${block}`, `${block}\n${call}`).replaceAll('\n', '\r\n');
    assert.equal(writeLock(readLock(mixed)), TEXT);
    const answers = readLock(TEXT).chains.get(1)!.answers;
    const { outcome } = answers.get(
      lockedText({ method: 'eth_getCode', params: [ACCOUNT, '0x10'] }),
    )!;
    assert.deepEqual(outcome, { value: CODE });
  });

  it('has the same key for a slot in each notation', () => {
    const keys = ['0x1', '0x01', `0x${'1'.padStart(64, '0')}`].map((slot) =>
      lockedText({
        method: 'eth_getStorageAt',
        params: [ACCOUNT.toUpperCase().replace('X', 'x'), slot, '0x9'],
      }),
    );
    assert.equal(new Set(keys).size, 1);
  });

  it('names the line of what is damaged', () => {
    const cases: [change: (lines: string[]) => void, message: RegExp][] = [
      [(lines) => lines.splice(0), /^line 1: the file is empty$/],
      [(lines) => lines.splice(0, 1), /^line 1: not a lockfile of Forklens/],
      [(lines) => (lines[0] = '{"forklensLock":2}'), /^line 1: version 2; accepted: 1$/],
      [
        (lines) => (lines[2] = '{"variable":"B URL","chain":10}'),
        /^line 3: .*; accepted: \{"variable"/,
      ],
      [
        (lines) => (lines[2] = '{"foundry":"mainnet","chain":10}'),
        /^line 3: mainnet is of chain 10, and of 1/,
      ],
      [(lines) => lines.splice(3, 1), /^line 4: the head of chain 1 is missing/],
      [(lines) => lines.splice(3, 2), /^line 4: an entry before the first chain$/],
      [(lines) => (lines[4] = '{"chain":1,"block":-1}'), /^line 5: /],
      [(lines) => (lines[7] = lines[7]!.slice(0, -9)), /^line 8: not JSON: \["eth_getStorageAt"/],
      [(lines) => (lines[7] = '["eth_getStorageAt"]'), /^line 8: not an entry/],
      [(lines) => (lines[7] = '["a",[],1,"other"]'), /^line 8: other; accepted: "value", "error"$/],
      [(lines) => (lines[7] = '<<<<<<< HEAD'), /^line 8: a conflict of a merge/],
      [(lines) => (lines[7] = '['.repeat(100)), /^line 8: nested too deep$/],
      [
        (lines) => lines.splice(8, 0, `["eth_getStorageAt",["${ACCOUNT}","0x01","0x9"],"0x8"]`),
        /^line 9: another answer to the same call is on line 8$/,
      ],
      [(lines) => (lines[12] = '{"chain":1,"head":7}'), /^line 13: chain 1 has another head, 100/],
      [(lines) => lines.splice(16, 1), /^line 10: the value [0-9a-f]{32} is missing$/],
      [
        (lines) => (lines[16] = lines[16]!.replace('6060', '6061')),
        /^line 17: the value is damaged/,
      ],
      [(lines) => (lines[16] = '[1]'), /^line 17: not a value/],
    ];
    for (const [change, message] of cases) {
      const lines = [...LINES];
      change(lines);
      assert.throws(
        () => readLock(lines.join('\n')),
        (error: Error) => {
          assert.equal(error.name, 'LockError');
          assert.match(error.message, message);
          return true;
        },
      );
    }
  });

  it('accepts a read that a merge left twice', () => {
    const lines = [...LINES];
    lines.splice(7, 0, LINES[7]!);
    assert.equal(writeLock(readLock(lines.join('\n'))), TEXT);
  });

  it('describes a call by what it reads', () => {
    const described = [
      ['eth_getStorageAt', [ACCOUNT, '0x3', '0x10']],
      ['eth_getBalance', [ACCOUNT, '0x10']],
      ['eth_getBlockByNumber', ['0x10', false]],
      ['eth_getTransactionReceipt', [HASH]],
      ['eth_getLogs', [{ fromBlock: '0x1', toBlock: '0x10' }]],
    ].map(([method, params]) =>
      describeCall({ method: method as string, params: params as unknown[] }),
    );
    assert.deepEqual(described, [
      `eth_getStorageAt of ${ACCOUNT} slot 0x3 at block 16`,
      `eth_getBalance of ${ACCOUNT} at block 16`,
      'eth_getBlockByNumber ["0x10",false] at block 16',
      `eth_getTransactionReceipt ["${HASH}"]`,
      'eth_getLogs [{"fromBlock":"0x1","toBlock":"0x10"}] at block 16',
    ]);
  });
});
