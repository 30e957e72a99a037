import { recordingInputs, type RecordingInputs } from '../../server/debugger/recording/inputs';
import type { RecordedCall } from '../../server/evm/interpreter/recorded-precompiles';
import { toQuantity } from '../../server/evm/forms/quantity';
import type { RpcReceipt, RpcTransaction } from '../../server/evm/forms/types';
import type { Executed, PlayedBlock } from './reference/chain';
import type { Frame } from './reference/frames';
import { slotOf } from './reference/context';
import { isSince, type PlannedHardfork } from './reference/plan';
import type { WorldState } from './reference/state';

/** As `prestateTracer` answers. */
const prestateOf = (world: WorldState): object =>
  Object.fromEntries(
    [...world].map(([address, { balance, nonce, code, storage }]) => [
      address,
      { balance: toQuantity(balance), nonce, code, storage: Object.fromEntries(storage) },
    ]),
  );

const recorded = (frame: Frame): RecordedCall => ({
  type: frame.type,
  to: frame.to,
  input: frame.input,
  output: frame.output,
  gasUsed: toQuantity(frame.gasUsed),
  ...(frame.error === undefined ? {} : { error: frame.error }),
  calls: frame.calls.map(recorded),
});

/** What the machine needs to execute a transaction that the reference executed. */
export function inputsOf(
  hardfork: PlannedHardfork,
  { context, hash }: PlayedBlock,
  { transaction, gasPrice, root, before }: Executed,
  hashes: ReadonlyMap<bigint, bigint>,
): RecordingInputs {
  const { type, to, from, data, value, gasLimit, accessList, blobVersionedHashes } = transaction;
  const rpc = {
    from: from!.toLowerCase(),
    to: to?.toLowerCase() ?? null,
    input: data,
    type: toQuantity(type ?? 0),
    value: toQuantity(value),
    gas: toQuantity(gasLimit),
    accessList: accessList ?? [],
    blobVersionedHashes: blobVersionedHashes ?? [],
    authorizationList: (transaction.authorizationList ?? []).map((one) => ({
      chainId: toQuantity(one.chainId),
      address: one.address.toLowerCase(),
      nonce: toQuantity(one.nonce),
      yParity: toQuantity(one.signature.yParity),
      r: one.signature.r,
      s: one.signature.s,
    })),
  };
  const difficulty = context.difficulty ?? 0x20000n;
  return recordingInputs({
    transaction: rpc as unknown as RpcTransaction,
    receipt: { effectiveGasPrice: toQuantity(gasPrice) } as RpcReceipt,
    block: {
      hash,
      number: toQuantity(context.number),
      parentHash: context.parentHash,
      timestamp: toQuantity(context.timestamp),
      miner: context.coinbase,
      gasLimit: toQuantity(context.gasLimit),
      gasUsed: '0x0',
      mixHash: context.prevRandao,
      difficulty: toQuantity(difficulty),
      ...(isSince(hardfork, 'amsterdam') ? { slotNumber: toQuantity(slotOf(context.number)) } : {}),
      ...(context.baseFee === undefined ? {} : { baseFeePerGas: toQuantity(context.baseFee) }),
      ...(context.excessBlobGas === undefined
        ? {}
        : { excessBlobGas: toQuantity(context.excessBlobGas) }),
    },
    chainId: 1,
    hardfork,
    hashes,
    prestate: prestateOf(before),
    root: recorded(root),
  });
}
