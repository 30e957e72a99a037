import fc from 'fast-check';
import { readBuiltPlan } from '../../server/chains/sandbox/built-plan';
import { sandboxTransactions } from '../support/sandbox-hashes';
import { hostileValue } from './hostile-values';
import { reference } from './rpc-references';

/* Values of JSON-RPC parameters. Most are well-formed. */

export const ACCOUNTS = [
  '0x70997970c51812dc3a010c7d01b50e0d17dc79c8',
  '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc',
  `0x${'0'.repeat(40)}`,
  `0x${'f'.repeat(40)}`,
  '0x0000000000000000000000000000000000000004',
];
export const address = fc.constantFrom(...ACCOUNTS);
const unknownHash = fc.constant(`0x${'12'.repeat(32)}`);
export const hash = fc.oneof(
  fc.constantFrom(...Object.values(sandboxTransactions)),
  reference('transaction'),
  unknownHash,
);
export const blockHash = fc.oneof(reference('block'), reference('block'), unknownHash);
const tokens = Object.entries(readBuiltPlan()?.labels ?? {}).flatMap(([address, label]) =>
  /^h[A-Z]+$/.test(label) ? [address] : [],
);
export const token = fc.constantFrom(...tokens, ...ACCOUNTS.slice(0, 1));
export const quantity = fc.oneof(
  fc.nat({ max: 100 }).map((value) => `0x${value.toString(16)}`),
  fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map((value) => `0x${value.toString(16)}`),
);
export const small = fc.oneof(
  fc.nat({ max: 5 }),
  fc.nat({ max: 5 }).map((value) => `0x${value.toString(16)}`),
);
export const bytes = fc.oneof(
  fc.constantFrom('0x', '0x00', '0xff', '0x600160005260206000f3', '0x5b600056', '0x30ff', '0x5ffd'),
  fc.uint8Array({ maxLength: 64 }).map((array) => `0x${Buffer.from(array).toString('hex')}`),
);
export const block = fc.oneof(
  fc.constantFrom<unknown>(
    'latest',
    'earliest',
    'pending',
    'safe',
    'finalized',
    '0x0',
    '0x8',
    '0x9',
  ),
  fc.constantFrom<unknown>(
    '0xffffff',
    { blockNumber: '0x8' },
    { blockHash: `0x${'1'.repeat(64)}` },
  ),
);
export const word = fc
  .bigInt({ min: 0n, max: 2n ** 256n - 1n })
  .map((v) => `0x${v.toString(16).padStart(64, '0')}`);
/** A block number, also far above the head. */
export const height = fc.oneof(
  fc.nat({ max: 12 }),
  fc.constantFrom(2 ** 32, 2 ** 53 - 1, 10 ** 15, '0xff', '0xffffffffff'),
);
const gas = fc.constantFrom('0x5208', '0x30d40', '0xee6b280', '0xffffffffff');
/** Most of these are executed. */
const plainTransaction = fc.record(
  {
    from: address,
    to: fc.oneof(address, token),
    gas: fc.constantFrom('0x30d40', '0xee6b280'),
    value: fc.constantFrom('0x0', '0x1'),
    data: bytes,
  },
  { requiredKeys: ['from'] },
);
const anyTransaction = fc.record(
  {
    from: address,
    to: address,
    gas,
    value: fc.constantFrom('0x0', '0x1', '0xffffffffffffffffffffffff'),
    data: bytes,
    gasPrice: quantity,
    maxFeePerGas: quantity,
    maxPriorityFeePerGas: quantity,
    nonce: small,
    accessList: fc.array(fc.record({ address, storageKeys: fc.array(word, { maxLength: 2 }) }), {
      maxLength: 2,
    }),
    authorizationList: fc.constant([]),
    blobVersionedHashes: fc.constantFrom([], [`0x01${'0'.repeat(62)}`]),
    maxFeePerBlobGas: quantity,
    type: fc.constantFrom('0x0', '0x1', '0x2', '0x3', '0x4', '0x7e'),
    chainId: fc.constantFrom('0x7a69', '0x1'),
  },
  { requiredKeys: ['from'] },
);
export const transaction = fc.oneof(plainTransaction, anyTransaction);
export const overrides = fc.dictionary(
  address,
  fc.record(
    {
      balance: quantity,
      nonce: quantity,
      code: bytes,
      state: fc.dictionary(word, word),
      stateDiff: fc.dictionary(word, word),
    },
    { requiredKeys: [] },
  ),
  { maxKeys: 2 },
);
const few = fc.constantFrom('0x9', '0x20', '0x1c9c380', '0x713fb300');
const later = fc.oneof(few, few, quantity);
export const blockOverrides = fc.record(
  {
    number: later,
    time: later,
    timestamp: later,
    gasLimit: later,
    coinbase: address,
    random: word,
    baseFeePerGas: quantity,
    baseFee: quantity,
  },
  { requiredKeys: [] },
);
export const filter = fc.record(
  {
    fromBlock: block,
    toBlock: block,
    address: fc.oneof(address, fc.array(address, { maxLength: 3 })),
    topics: fc.array(fc.oneof(word, fc.constant(null), fc.array(word, { maxLength: 2 })), {
      maxLength: 4,
    }),
    blockHash: hash,
  },
  { requiredKeys: [] },
);
export const tracer = fc.record(
  {
    tracer: fc.constantFrom(
      'callTracer',
      'prestateTracer',
      '4byteTracer',
      'noopTracer',
      'muxTracer',
      '{}',
    ),
    tracerConfig: fc.record(
      { withLog: fc.boolean(), diffMode: fc.boolean() },
      { requiredKeys: [] },
    ),
    timeout: fc.constantFrom('1s', '1ns', 'x'),
    stateOverrides: overrides,
    blockOverrides,
  },
  { requiredKeys: [] },
);
export const simulation = fc.record(
  {
    blockStateCalls: fc.array(
      fc.record(
        {
          blockOverrides,
          stateOverrides: overrides,
          calls: fc.array(transaction, { maxLength: 3 }),
        },
        { requiredKeys: [] },
      ),
      { maxLength: 3 },
    ),
    traceTransfers: fc.boolean(),
    validation: fc.boolean(),
    returnFullTransactions: fc.boolean(),
  },
  { requiredKeys: ['blockStateCalls'] },
);

/** EIP-712 types: known ones, composed ones, recursive ones, and undefined ones. */
const typeName = fc.constantFrom('A', 'B', 'B[]', 'A[2]', 'string', 'bytes4', 'uint8', 'bool', 'x');
export const typedData = fc.record(
  {
    types: fc.dictionary(
      fc.constantFrom('A', 'B', 'EIP712Domain'),
      fc.array(fc.record({ name: fc.constantFrom('a', 'b', 'name'), type: typeName }), {
        maxLength: 3,
      }),
    ),
    primaryType: fc.constantFrom('A', 'B', 'EIP712Domain'),
    domain: fc.record({ name: fc.string(), chainId: fc.nat() }, { requiredKeys: [] }),
    message: fc.record({ a: hostileValue, b: fc.object({ key: fc.constantFrom('a', 'b') }) }),
  },
  { requiredKeys: ['types'] },
);
