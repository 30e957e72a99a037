/** keccak256(rlp([])): the hash of no uncles (EIP-3675). */
const NO_UNCLES = '0x1dcc4de8dec75d7aab85b567b6ccd41ad312451b948a7413f0a142fd40d49347';
/** keccak256(rlp('')): the root of an empty trie. */
const EMPTY_ROOT = '0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421';
const ZERO_WORD = `0x${'0'.repeat(64)}`;

/** Fields of a header that engines require, with the value that means "none". Chains that do not seal or execute as Ethereum omit some. */
const DEFAULTS: Readonly<Record<string, unknown>> = {
  sha3Uncles: NO_UNCLES,
  difficulty: '0x0',
  logsBloom: `0x${'0'.repeat(512)}`,
  extraData: '0x',
  mixHash: ZERO_WORD,
  nonce: '0x0000000000000000',
  stateRoot: ZERO_WORD,
  transactionsRoot: EMPTY_ROOT,
  receiptsRoot: EMPTY_ROOT,
  miner: `0x${'0'.repeat(40)}`,
  gasUsed: '0x0',
  uncles: [],
  transactions: [],
};

/** A block with the fields that an engine requires. Fields that the node returned are not changed. Other values are returned as they are. */
export function withEngineFields(block: unknown): unknown {
  if (typeof block !== 'object' || block === null || !('hash' in block)) return block;
  const fields = block as Readonly<Record<string, unknown>>;
  const missing = Object.entries(DEFAULTS).filter(([name]) => (fields[name] ?? null) === null);
  return missing.length === 0 ? block : { ...fields, ...Object.fromEntries(missing) };
}
