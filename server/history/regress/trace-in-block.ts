import type { MinedTransaction, Network, TransactionTrace } from '../../analysis/ports';
import { ApiError } from '../../api/errors';
import type { Address, Hex } from '../../api/primitives';
import type { RpcBlock, RpcTransaction } from '../../evm/forms/types';
import { reasonOf, type ExactExecution } from '../../execution/prefix/apply-executed';
import type { OpenBlock } from '../../execution/prefix/block-executor';
import { recordMined } from '../../execution/prefix/record-mined';
import { fetchBlock } from '../../execution/prefix/upstream-block';
import { executedTrace } from '../../execution/replay/executed-trace';
import { unsentCall } from '../held/unsent-call';

const NOBODY: Address = `0x${'0'.repeat(40)}`;

/** A call that is made with the new code right before the transaction, as an upgrade makes it. */
export interface InitCall {
  readonly from: Address;
  readonly to: Address;
  readonly data: Hex;
}

export interface OtherCode {
  readonly codes: ReadonlyMap<Address, Hex>;
  readonly init?: InitCall | undefined;
}

/**
 * Executes a transaction after all earlier ones of its block, with other codes in place of the chain's.
 * @throws ApiError `rulesUnsupported` where the service does not execute the block, or the call of the initializer fails; errors of the
 * chain's node
 */
export async function traceInBlock(
  { executor, place }: ExactExecution,
  network: Network,
  mined: MinedTransaction,
  other: OtherCode,
  signal: AbortSignal,
): Promise<TransactionTrace> {
  const { rpc, chainId, key } = network;
  const number = Number(mined.block.number);
  const position = Number(mined.transaction.transactionIndex);
  const block = await fetchBlock(rpc, number, { signal, chainId });
  if (!block) throw new ApiError('upstreamLacksData', `the node of ${key} has no block ${number}`);
  let open: OpenBlock | undefined;
  try {
    open = await executor.open(place, signal);
    const earlier = block.transactions.slice(0, position);
    await open.warm([...earlier, mined.transaction]);
    for (const transaction of earlier) await recordMined(open, block, transaction);
    if (other.codes.size > 0) await placeCodes(open, block, mined.transaction, other);
    const executed = await recordMined(open, block, mined.transaction);
    return await executedTrace(executed, mined, signal);
  } catch (error) {
    throw new ApiError('rulesUnsupported', reasonOf(error, signal), { cause: error });
  } finally {
    open?.close();
  }
}

async function placeCodes(
  open: OpenBlock,
  block: RpcBlock,
  { from: sender }: RpcTransaction,
  { codes, init }: OtherCode,
): Promise<void> {
  const code = Array.from(codes, ([address, one]) => [address, { code: one }] as const);
  const call = init ?? { from: NOBODY, to: NOBODY, data: '0x' as const };
  const { nonce, receipt, calls } = await open.simulate({
    transaction: unsentCall(block, call),
    header: block,
    overrides: Object.fromEntries(code),
    isBare: true,
  });
  if (receipt.status === '0x0') {
    const { error = 'it fails' } = calls.answer as { error?: string };
    throw new ApiError('rulesUnsupported', `the call of the initializer fails: ${error}`);
  }
  if (call.from !== sender.toLowerCase()) return;
  // The call of an upgrade is not the sender's: its next nonce stays.
  const nothing = unsentCall(block, { from: NOBODY, to: NOBODY, data: '0x' });
  const overrides = { [call.from]: { nonce } };
  await open.simulate({ transaction: nothing, header: block, overrides, isBare: true });
}
