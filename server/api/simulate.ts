import { MAX_WORD } from './word';
import * as z from 'zod';
import { namedRulesSchema } from './named-rules';
import { heightSchema } from './height';
import { addressSchema, type Hash, type Hex } from './primitives';
import { CONTRACT_LIMITS } from './schema-limits';

const POSITION = 'a whole number from 0 to the number of transactions in the block';

/** Accepts `0x` hex, decimal text and safe integers; returns a JSON-RPC quantity. */
function quantity(maximum: bigint, what: string, limit = maximum.toString()) {
  const error = `${what}: 0x hex or a decimal number up to ${limit}`;
  return z
    .union(
      [
        z.int({ error }).min(0, { error }),
        z.string({ error }).regex(/^(0x[0-9a-fA-F]{1,64}|[0-9]{1,78})$/, { error }),
      ],
      { error },
    )
    .refine((value) => isWhole(value) && BigInt(value) <= maximum, { error })
    .transform((value): Hex => `0x${BigInt(value).toString(16)}`)
    .meta({ description: error });
}

/** Needed again in `refine`, which also runs after a failed check. */
const isWhole = (value: string | number): boolean =>
  typeof value === 'number' ? Number.isInteger(value) : /^(0x[0-9a-f]+|[0-9]+)$/i.test(value);

const MAX_64 = 2n ** 64n - 1n;
const wei = quantity(MAX_WORD, 'wei', '2^256 - 1');
/** The engines' type of prices; real prices are far smaller. */
const price = quantity(2n ** 128n - 1n, 'wei', '2^128 - 1');

const BYTES = 'bytes: 0x and an even number of hex digits';
const bytes = z
  .string({ error: BYTES })
  .regex(/^0x([0-9a-fA-F]{2})*$/, { error: BYTES })
  .transform((text) => text.toLowerCase() as Hex)
  .meta({ type: 'string', description: BYTES });

const WORD = 'a word: 0x and 1 to 64 hex digits';
const word = z
  .string({ error: WORD })
  .regex(/^0x[0-9a-fA-F]{1,64}$/, { error: WORD })
  .transform((text): Hex => `0x${text.slice(2).toLowerCase().padStart(64, '0')}`)
  .meta({ type: 'string', description: WORD });

const SLOT = 'slots: 0x and 64 hex digits';
const slot = z
  .string({ error: SLOT })
  .regex(/^0x[0-9a-fA-F]{64}$/, { error: SLOT })
  .transform((text) => text.toLowerCase() as Hash)
  .meta({ type: 'string' });

/** An object that rejects unknown fields: a simulation that ignored a misspelt field would be wrong. */
const exact = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, { error: `an object with ${Object.keys(shape).join(', ')} only` });

const slots = z.record(word, word, { error: 'an object of words by slot' });

export const stateOverrideSchema = exact({
  balance: wei.optional().meta({ description: 'Wei, 0x hex or decimal' }),
  nonce: quantity(MAX_64, 'a nonce').optional().meta({ description: '0x hex or decimal' }),
  code: bytes.optional().meta({ description: 'Runtime code, 0x hex' }),
  state: slots.optional().meta({ description: 'Replaces the whole storage' }),
  stateDiff: slots.optional().meta({ description: 'Replaces single slots' }),
}).refine(({ state, stateDiff }) => state === undefined || stateDiff === undefined, {
  error: 'state or stateDiff, not both',
});

export const blockOverridesSchema = exact({
  number: quantity(MAX_64, 'a block number').optional(),
  time: quantity(MAX_64, 'Unix seconds').optional(),
  gasLimit: quantity(MAX_64, 'gas').optional(),
  feeRecipient: addressSchema.optional(),
  prevRandao: word.optional(),
  baseFeePerGas: quantity(MAX_64, 'wei').optional(),
});

const list = (what: string) => ({ error: `a list of ${what}` });

const VERSIONED_HASH = 'versioned hashes: 0x01 and 62 hex digits';
const versionedHash = z
  .string({ error: VERSIONED_HASH })
  .regex(/^0x01[0-9a-fA-F]{62}$/, { error: VERSIONED_HASH })
  .transform((text) => text.toLowerCase() as Hash)
  .meta({ type: 'string' });

export const simulateBody = z
  .object({
    from: addressSchema.meta({ description: 'Sender; its key is not needed' }),
    to: addressSchema
      .nullish()
      .meta({ description: 'null or left out: a creation, data is the init code' }),
    value: wei.default('0x0').meta({ description: 'Wei, 0x hex or decimal' }),
    data: bytes.optional().meta({ description: 'Call data, 0x hex' }),
    input: bytes.optional().meta({ description: 'Another name of data' }),
    gas: quantity(BigInt(CONTRACT_LIMITS.gas), 'gas')
      .optional()
      .meta({ description: "Default: the block's gas limit, at most 16777216 (EIP-7825)" }),
    gasPrice: price
      .optional()
      .meta({ description: 'Without a price no fee is paid, and the base fee does not matter' }),
    maxFeePerGas: price.optional(),
    maxPriorityFeePerGas: price.optional(),
    nonce: quantity(MAX_64 - 1n, 'a nonce')
      .optional()
      .meta({ description: "Default: the sender's next one" }),
    accessList: z
      .array(
        exact({
          address: addressSchema,
          storageKeys: z.array(slot, list(SLOT)).meta({ description: 'Its slots that are warm' }),
        }),
        list('addresses with their storageKeys'),
      )
      .optional()
      .meta({ description: 'EIP-2930' }),
    authorizationList: z
      .array(
        exact({
          chainId: quantity(MAX_WORD, 'a chain id', '2^256 - 1'),
          address: addressSchema,
          nonce: quantity(MAX_64, 'a nonce'),
          yParity: quantity(1n, 'a parity'),
          r: quantity(MAX_WORD, 'a number', '2^256 - 1'),
          s: quantity(MAX_WORD, 'a number', '2^256 - 1'),
        }),
        list('signed authorizations'),
      )
      .optional()
      .meta({ description: 'EIP-7702' }),
    blobVersionedHashes: z
      .array(versionedHash, list(VERSIONED_HASH))
      .min(1, { error: `a list of ${VERSIONED_HASH}` })
      .optional()
      .meta({ description: 'EIP-4844' }),
    maxFeePerBlobGas: price.optional().meta({ description: 'With blobVersionedHashes' }),
    height: heightSchema
      .default('latest')
      .meta({ description: 'Block context of the simulation: number, time, fees' }),
    position: z
      .int({ error: POSITION })
      .min(0, { error: POSITION })
      .optional()
      .meta({ description: 'Number of transactions of the block to apply first; omitted: all' }),
    rules: namedRulesSchema.optional(),
    stateOverrides: z
      .record(addressSchema, stateOverrideSchema, { error: 'an object of overrides by address' })
      .default({})
      .meta({ description: 'State in place of what the transaction would find, by address' }),
    blockOverrides: blockOverridesSchema
      .default({})
      .meta({ description: 'Facts of the block in place of its own' }),
  })
  .check(({ value, issues }) => {
    // Fields that are refused have no value to compare.
    if (issues.length > 0) return;
    for (const { path, message } of contradictions(value)) {
      issues.push({ code: 'custom', path: [path], input: value[path], message });
    }
  });

interface Fees {
  to?: Hex | null | undefined;
  data?: Hex | undefined;
  input?: Hex | undefined;
  gasPrice?: Hex | undefined;
  maxFeePerGas?: Hex | undefined;
  maxPriorityFeePerGas?: Hex | undefined;
  authorizationList?: unknown;
  blobVersionedHashes?: unknown;
  maxFeePerBlobGas?: Hex | undefined;
}

/** Combinations of fields that contradict each other. */
function* contradictions(
  body: Fees,
): Generator<{ path: Exclude<keyof Fees, 'to'>; message: string }> {
  const { to, data, input, gasPrice, maxFeePerGas, maxPriorityFeePerGas: tip } = body;
  if (gasPrice !== undefined && maxFeePerGas !== undefined) {
    yield { path: 'gasPrice', message: 'none together with maxFeePerGas' };
  }
  if (tip !== undefined && (maxFeePerGas === undefined || BigInt(tip) > BigInt(maxFeePerGas))) {
    yield {
      path: 'maxPriorityFeePerGas',
      message: 'wei up to maxFeePerGas, which is required with it',
    };
  }
  if (data !== undefined && input !== undefined && data !== input) {
    yield { path: 'input', message: 'none together with data' };
  }
  const creation = to === undefined || to === null;
  if (creation && (data ?? input ?? '0x') === '0x') {
    yield { path: 'data', message: 'init code if to is missing' };
  }
  if (creation && body.authorizationList !== undefined) {
    yield { path: 'authorizationList', message: 'none for a creation (EIP-7702)' };
  }
  const { blobVersionedHashes: blobs, maxFeePerBlobGas } = body;
  if (blobs !== undefined && creation) {
    yield { path: 'blobVersionedHashes', message: 'none for a creation (EIP-4844)' };
  }
  if (blobs !== undefined && body.authorizationList !== undefined) {
    yield { path: 'blobVersionedHashes', message: 'none together with authorizationList' };
  }
  if (blobs !== undefined && maxFeePerBlobGas === undefined) {
    yield { path: 'maxFeePerBlobGas', message: 'wei, required with blobVersionedHashes' };
  }
  if (blobs === undefined && maxFeePerBlobGas !== undefined) {
    yield { path: 'maxFeePerBlobGas', message: 'none without blobVersionedHashes' };
  }
}

export type SimulateBody = z.output<typeof simulateBody>;
export type StateOverrides = SimulateBody['stateOverrides'];
export type BlockOverrides = SimulateBody['blockOverrides'];
