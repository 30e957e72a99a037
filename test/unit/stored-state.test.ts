import assert from 'node:assert/strict';
import { createMPT } from '@ethereumjs/mpt';
import { RLP } from '@ethereumjs/rlp';
import { bytesToHex, hexToBytes, MapDB, ValueEncoding } from '@ethereumjs/util';
import { keccak256 } from 'ethers';
import type { Address, Hash } from '../../server/api/primitives';
import { toWord } from '../../server/evm/forms/quantity';
import { readLog } from '../support/rocksdb/log-file';
import { unsnappy } from '../support/rocksdb/snappy';
import { StateMissing, StateTrie } from '../support/state-trie';

const ALICE: Address = `0x${'a1'.repeat(20)}`;
const CODE = '0x6000';

/** A record of the log: checksum, length, type, data. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(7);
  head.writeUInt16LE(data.length, 4);
  head[6] = type;
  return Buffer.concat([head, data]);
}

describe('state in files', () => {
  it('is read from a write-ahead log, also from an entry in two records', () => {
    const batch = (key: string, value: Buffer): Buffer => {
      const [low, high] = [0x80 | (value.length & 0x7f), value.length >> 7];
      const header = Buffer.from([1, key.length]);
      const body = Buffer.concat([header, Buffer.from(key), Buffer.from([low, high]), value]);
      return Buffer.concat([Buffer.alloc(12), body]);
    };
    const long = batch('long', Buffer.alloc(300, 7));
    const log = Buffer.concat([record(2, long.subarray(0, 100)), record(4, long.subarray(100))]);
    const read = new Map<string, number>();
    readLog(log, (key, value) => read.set(Buffer.from(key).toString(), value.length));
    assert.deepEqual([...read], [['long', 300]]);
  });

  it('is decompressed, copies of overlapping parts included', () => {
    // "abc", a copy of 5 bytes from 3 before, and "z".
    const bytes = Uint8Array.from([9, 2 << 2, 97, 98, 99, (1 << 2) | 1, 3, 0, 122]);
    assert.equal(unsnappy(bytes).toString(), 'abcabcabz');
  });

  it('is found in the nodes of its tree, and nothing else is', async () => {
    const values = new Map<string, Uint8Array>();
    const open = () =>
      createMPT({
        db: new MapDB(values),
        useKeyHashing: true,
        valueEncoding: ValueEncoding.Bytes,
      });
    const storage = await open();
    for (let slot = 1; slot < 40; slot++) {
      await storage.put(hexToBytes(toWord(slot)), RLP.encode(slot));
    }
    values.set(keccak256(CODE).slice(2), hexToBytes(CODE));
    const accounts = await open();
    const account = [3, 1_000, storage.root(), hexToBytes(keccak256(CODE) as Hash)];
    await accounts.put(hexToBytes(ALICE), RLP.encode(account));
    const trie = new StateTrie(values, bytesToHex(accounts.root()));
    const { nonce, balance } = trie.account(ALICE)!;
    assert.deepEqual([nonce, balance, trie.code(ALICE)], [3, 1_000n, CODE]);
    assert.deepEqual(
      [trie.slot(ALICE, toWord(39)), trie.slot(ALICE, toWord(40))],
      [39, 0].map(toWord),
    );
    const other: Address = `0x${'b0'.repeat(20)}`;
    assert.deepEqual([trie.account(other), trie.code(other)], [undefined, '0x']);
    values.delete(bytesToHex(storage.root()).slice(2));
    assert.throws(() => trie.slot(ALICE, toWord(1)), StateMissing);
  });
});
