import * as z from 'zod';
import { processAuthorizations } from '../../evm/forms/authorizations';
import { isDeposit } from '../../evm/forms/deposit';
import type { RpcBlockHeader, RpcReceipt, RpcTransaction } from '../../evm/forms/types';
import { blobPriceAt } from '../../evm/rules/blob-price';
import { isSince, type ExecutedHardfork } from '../../evm/forms/hardfork-order';
import { intrinsicGas, type IntrinsicGas } from '../../evm/rules/intrinsic-gas';
import { precompilesOf } from '../../evm/rules/precompiles';
import type { Environment } from '../../evm/interpreter/environment';
import { recordedPrecompiles, type RecordedCall } from '../../evm/interpreter/recorded-precompiles';
import type { Prestate } from '../../evm/interpreter/world';

/** What a recording is made of: the transaction in its block, and what tracers report of its execution. */
export interface RecordingFacts {
  readonly transaction: RpcTransaction;
  readonly receipt: RpcReceipt;
  readonly block: RpcBlockHeader;
  readonly chainId: number;
  readonly hardfork: ExecutedHardfork;
  /** Of the schedule of the chain's node: see `BlobRules`. */
  readonly blobFraction?: bigint;
  /** Precompiled contracts of the chain besides those of the hardfork. */
  readonly extraPrecompiles?: readonly string[];
  /** Result of `prestateTracer`: everything that the transaction reads, as before it. */
  readonly prestate: unknown;
  /** Whether empty accounts are part of the state (before EIP-161): tracers do not say it. */
  readonly hasEmpty?: boolean;
  /** Result of `callTracer`. */
  readonly root: RecordedCall;
  /** Hashes of the blocks that BLOCKHASH asks for, by number. */
  readonly hashes: ReadonlyMap<bigint, bigint>;
}

export interface RecordingInputs {
  readonly environment: Environment;
  readonly prestate: Prestate;
  /** Least gas that the transaction pays for (EIP-7623); 0 before Prague. */
  readonly floor: number;
}

/** Gas rules of a transaction that can be recorded. A deposit of the OP Stack has those of a legacy transaction, and no price. */
export const recordedGas = (
  transaction: RpcTransaction,
  hardfork: ExecutedHardfork,
): IntrinsicGas | undefined =>
  intrinsicGas(isDeposit(transaction) ? { ...transaction, type: '0x0' } : transaction, hardfork);

const hex = z.string().regex(/^0x[0-9a-f]*$/i);
const prestateSchema = z.record(
  z.string().regex(/^0x[0-9a-f]{40}$/i),
  z.object({
    balance: hex.optional(),
    nonce: z.union([z.int().min(0), hex]).optional(),
    code: hex.optional(),
    storage: z.record(hex, hex).optional(),
  }),
);

const bytes = (text: string): Uint8Array => Buffer.from(text.slice(2), 'hex');

/** @throws Error if the prestate has another form, or if the rules of the transaction's type are unknown */
export function recordingInputs(facts: RecordingFacts): RecordingInputs {
  const { transaction, receipt, block, chainId, hardfork, root, hashes } = facts;
  const precompiles = precompilesOf(hardfork, facts.extraPrecompiles);
  const prestate = { ...readPrestate(facts.prestate), hasEmpty: facts.hasEmpty ?? false };
  const gas = recordedGas(transaction, hardfork);
  if (!gas) throw new Error(`the gas rules of transaction type ${transaction.type} are unknown`);
  const { floor = 0, intrinsic } = gas;
  // The gas of the transaction's own frame includes the intrinsic gas.
  const top = { ...root, gasUsed: `0x${(BigInt(root.gasUsed) - BigInt(intrinsic)).toString(16)}` };
  return {
    prestate,
    floor,
    environment: {
      chainId: BigInt(chainId),
      hardfork,
      precompiles,
      block: {
        number: BigInt(block.number),
        timestamp: BigInt(block.timestamp),
        coinbase: block.miner.toLowerCase(),
        gasLimit: BigInt(block.gasLimit),
        baseFee: BigInt(block.baseFeePerGas ?? 0),
        random: BigInt((isSince(hardfork, 'paris') ? block.mixHash : block.difficulty) ?? 0),
        blobBaseFee: blobPriceAt(facts, block) ?? 0n,
        slot: BigInt(block.slotNumber ?? 0),
        hashes,
      },
      transaction: {
        from: transaction.from.toLowerCase(),
        to: transaction.to?.toLowerCase() ?? null,
        value: BigInt(transaction.value),
        input: bytes(transaction.input),
        gas: Number(transaction.gas),
        gasPrice: BigInt(receipt.effectiveGasPrice ?? transaction.gasPrice ?? 0),
        accessList: (transaction.accessList ?? []).map(({ address, storageKeys }) => ({
          address: address.toLowerCase(),
          slots: storageKeys.map(BigInt),
        })),
        blobHashes: (transaction.blobVersionedHashes ?? []).map(BigInt),
        delegations: delegationsOf(transaction, prestate, chainId),
        intrinsicGas: intrinsic,
      },
      precompile: recordedPrecompiles(precompiles, top),
    },
  };
}

function readPrestate(answer: unknown): Prestate {
  const accounts = Object.entries(prestateSchema.parse(answer));
  return {
    accounts: new Map(
      accounts.map(([address, { balance = '0x0', nonce = 0, code = '0x', storage = {} }]) => [
        address.toLowerCase(),
        {
          balance: BigInt(balance),
          nonce: Number(nonce),
          code: bytes(code),
          storage: new Map(
            Object.entries(storage).map(([slot, value]) => [BigInt(slot), BigInt(value)]),
          ),
        },
      ]),
    ),
  };
}

/** The authorizations that take effect or make their account warm, in order (EIP-7702). */
const delegationsOf = (
  transaction: RpcTransaction,
  { accounts }: Prestate,
  chainId: number,
): Environment['transaction']['delegations'] =>
  processAuthorizations(transaction, BigInt(chainId), (authority) => {
    const { balance, nonce, code } = accounts.get(authority) ?? NO_ACCOUNT;
    return { balance, nonce: BigInt(nonce), code: `0x${Buffer.from(code).toString('hex')}` };
  }).map(({ authority, delegate, takesEffect }) => {
    const set = BigInt(delegate) === 0n ? '0x' : `0xef0100${delegate.slice(2)}`;
    return { authority, code: takesEffect ? bytes(set) : undefined };
  });

const NO_ACCOUNT = { balance: 0n, nonce: 0, code: new Uint8Array(0) };
