import { unsnappy } from './snappy';
import { VarintReader } from './varint';

/** Format of block-based tables, versions 6: https://github.com/facebook/rocksdb/wiki/Rocksdb-BlockBasedTable-Format */
const FOOTER = 53;
const VERSION = 6;
/** Compression type and checksum behind each block. */
const TRAILER = 5;
const [RAW, SNAPPY] = [0, 1];
/** Sequence number and type of an internal key. */
const SUFFIX = 8;

interface Handle {
  offset: number;
  size: number;
}

/** Calls `put` for every entry of a table file, in the order of keys. @throws Error for other versions and compressions */
export function readTable(file: Buffer, put: (key: Uint8Array, value: Uint8Array) => void): void {
  const footer = file.subarray(file.length - FOOTER);
  const version = footer.readUInt32LE(FOOTER - 12);
  if (version !== VERSION) throw new Error(`a table of version ${version} is not read`);
  const size = footer.readUInt32LE(13);
  const meta = { offset: file.length - FOOTER - TRAILER - size, size };
  let index: Handle | undefined;
  for (const [key, value] of entriesOf(blockAt(file, meta))) {
    if (Buffer.from(key).toString() === 'rocksdb.index') index = handleOf(new VarintReader(value));
  }
  if (!index) throw new Error('the table has no index');
  for (const handle of indexedBlocks(blockAt(file, index))) {
    for (const [key, value] of entriesOf(blockAt(file, handle))) {
      put(key.subarray(0, key.length - SUFFIX), value);
    }
  }
}

const handleOf = (reader: VarintReader): Handle => ({
  offset: reader.number(),
  size: reader.number(),
});

function blockAt(file: Buffer, { offset, size }: Handle): Buffer {
  const bytes = file.subarray(offset, offset + size);
  const type = file[offset + size];
  if (type === RAW) return bytes;
  if (type === SNAPPY) return unsnappy(bytes);
  throw new Error(`compression ${type} is not read`);
}

/** End of the entries of a block, before its restart points. */
function endOf(block: Buffer): number {
  const last = block.readUInt32LE(block.length - 4);
  // The upper bit says that the block has a hash index.
  return block.length - 4 - 4 * (last & 0x7fffffff);
}

function* entriesOf(block: Buffer): Generator<[key: Uint8Array, value: Uint8Array]> {
  const reader = new VarintReader(block);
  const end = endOf(block);
  let key = Buffer.alloc(0);
  while (reader.at < end) {
    const [shared, rest, length] = [reader.number(), reader.number(), reader.number()];
    key = Buffer.concat([key.subarray(0, shared), reader.take(rest)]);
    yield [key, reader.take(length)];
  }
}

/** Each entry of the index is a restart point, so its value is a whole handle, without a length before it. */
function* indexedBlocks(block: Buffer): Generator<Handle> {
  const reader = new VarintReader(block);
  const end = endOf(block);
  while (reader.at < end) {
    reader.number();
    reader.take(reader.number());
    yield handleOf(reader);
  }
}
