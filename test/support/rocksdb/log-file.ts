import { VarintReader } from './varint';

/** Format of the write-ahead log: https://github.com/facebook/rocksdb/wiki/Write-Ahead-Log-File-Format */
const BLOCK = 32_768;
const HEADER = 7;
/** Log number in the header of recyclable records. */
const RECYCLED = 4;
const [FULL, FIRST, MIDDLE, LAST] = [1, 2, 3, 4];
const [DELETION, VALUE] = [0, 1];
/** Sequence number and count of a batch. */
const BATCH_HEADER = 12;

/** Calls `put` for every value of a write-ahead log, in order. @throws Error for entries that are no values */
export function readLog(log: Buffer, put: (key: Uint8Array, value: Uint8Array) => void): void {
  for (const batch of batchesOf(log)) {
    const reader = new VarintReader(batch, BATCH_HEADER);
    while (reader.at < batch.length) {
      const tag = reader.take(1)[0];
      if (tag === DELETION) reader.string();
      else if (tag === VALUE) put(reader.string(), reader.string());
      else throw new Error(`the log has an entry of type ${tag}`);
    }
  }
}

function* batchesOf(log: Buffer): Generator<Buffer> {
  let parts: Buffer[] = [];
  for (let at = 0; at + HEADER <= log.length;) {
    const left = BLOCK - (at % BLOCK);
    if (left < HEADER) {
      at += left;
      continue;
    }
    const [length, type] = [log.readUInt16LE(at + 4), log[at + 6]!];
    if (type === 0) return;
    const kind = type > LAST ? type - LAST : type;
    const begin = at + HEADER + (type > LAST ? RECYCLED : 0);
    at = begin + length;
    if (kind === FULL || kind === FIRST) parts = [];
    parts.push(log.subarray(begin, at));
    if (kind === FULL || kind === LAST) yield Buffer.concat(parts);
    else if (kind !== FIRST && kind !== MIDDLE) throw new Error(`the log has a record ${type}`);
  }
}
