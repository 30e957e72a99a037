import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hash, Hex } from '../../../server/api/primitives';
import { readLog } from '../../support/rocksdb/log-file';
import { readTable } from '../../support/rocksdb/table-file';
import { StateTrie } from '../../support/state-trie';
import { readTar } from '../../support/tar-file';

/** A block of a chain of the OP Stack, with what its execution reads. */
export interface KonaBlock {
  chainId: number;
  parent: Record<string, Hex>;
  payload: {
    timestamp: Hex;
    prevRandao: Hash;
    suggestedFeeRecipient: Hex;
    parentBeaconBlockRoot: Hash;
    transactions: Hex[];
    gasLimit: Hex;
    eip1559Params: Hex;
  };
  hash: Hash;
  trie: StateTrie;
}

interface Fixture {
  rollup_config: { l2_chain_id: number };
  parent_header: Record<string, Hex>;
  executing_payload: KonaBlock['payload'];
  expected_block_hash: Hash;
}

/** Reads `block-*.tar.gz` of op-rs/kona (`crates/proof/executor/testdata`): a fixture, and a RocksDB database of trie nodes and codes by hash. */
export function readKonaBlocks(folder: string): KonaBlock[] {
  const names = readdirSync(folder).filter((name) => /^block-\d+\.tar\.gz$/.test(name));
  return names.sort().map((name) => konaBlock(readTar(readFileSync(join(folder, name)))));
}

function konaBlock(files: ReadonlyMap<string, Buffer>): KonaBlock {
  const values = new Map<string, Uint8Array>();
  const put = (key: Uint8Array, value: Uint8Array): void => {
    values.set(Buffer.from(key).toString('hex'), value);
  };
  let fixture: Fixture | undefined;
  for (const [name, bytes] of files) {
    if (name.endsWith('/fixture.json') && !name.includes('/._')) {
      fixture = JSON.parse(bytes.toString()) as Fixture;
    }
    if (/\/\d+\.sst$/.test(name)) readTable(bytes, put);
    if (/\/\d+\.log$/.test(name)) readLog(bytes, put);
  }
  if (!fixture) throw new Error('the archive has no fixture.json');
  const { rollup_config: rollup, parent_header: parent } = fixture;
  return {
    chainId: rollup.l2_chain_id,
    parent,
    payload: fixture.executing_payload,
    hash: fixture.expected_block_hash,
    trie: new StateTrie(values, parent['stateRoot']!),
  };
}
