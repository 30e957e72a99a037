import {
  blockOf,
  transactionOf,
  type SimulatedCall,
  type SimulationRequest,
} from '../../analysis/simulation/simulation';
import { ApiError } from '../../api/errors';
import type { OnProgress } from '../../api/progress';
import { toQuantity } from '../../evm/forms/quantity';
import { blobPriceAt, GAS_PER_BLOB } from '../../evm/rules/blob-price';
import type { BlockRules } from '../../evm/rules/block-rules';
import { reasonOf, type ExactExecution } from '../prefix/apply-executed';
import { RejectedTransaction, type OpenBlock } from '../prefix/block-executor';
import { executeFirst } from '../prefix/execute-block';
import { fetchReceipts } from '../prefix/upstream-block';

/** A simulation has no receipt that could prove it. */
const AMSTERDAM =
  'the rules of Amsterdam are not final: they are executed as its EIPs were in November 2026';

/**
 * Simulates a transaction by rules that no engine has.
 * @throws ApiError `simulationRejected`, `rulesUnsupported`, `upstreamLacksData`; errors of the chain's node
 */
export async function simulateInProcess(
  { executor, place }: ExactExecution,
  request: SimulationRequest,
  rules: BlockRules,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: OnProgress | undefined },
): Promise<SimulatedCall> {
  const { block, position, call } = request;
  const isOver = position >= block.transactions.length;
  let open: OpenBlock | undefined;
  try {
    open = await executor.begin({ ...place, isOver }, signal);
    if (!open) throw new Error('nothing executes its rules');
    if (!isOver) await applyFirst(open, request, rules, { signal, onProgress });
    const seen = blockOf(request);
    const isFree = call.gasPrice === undefined && call.maxFeePerGas === undefined;
    const simulated = await open.simulate({
      transaction: transactionOf(request, '0x0'),
      header: isFree ? { ...seen, baseFeePerGas: '0x0' } : seen,
      overrides: request.stateOverrides,
    });
    const { calls, changes, touched, nonce, spentGas } = simulated;
    return {
      method: 'replay',
      executor: 'process',
      callTrace: calls.answer,
      details: calls.details,
      stateDiff: { status: 'fulfilled', value: changes },
      touched,
      nonce,
      ...(spentGas && { spentGas }),
      ...(call.blobVersionedHashes && { blobs: blobsOf(call.blobVersionedHashes, rules, request) }),
      warnings: rules.warnings.concat(AMSTERDAM),
    };
  } catch (error) {
    if (error instanceof RejectedTransaction) {
      throw new ApiError(
        'simulationRejected',
        `the transaction cannot be executed: ${error.message}`,
        { cause: error },
      );
    }
    throw new ApiError('rulesUnsupported', reasonOf(error, signal), { cause: error });
  } finally {
    open?.close();
  }
}

/** Executes the transactions of the block before the simulated one. */
async function applyFirst(
  open: OpenBlock,
  { network, block, position }: SimulationRequest,
  rules: BlockRules,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: OnProgress | undefined },
): Promise<void> {
  const receipts = await fetchReceipts(network.rpc, block, position, { signal, rules });
  const { firstDifference } = await executeFirst(open, block, receipts, (done, total) =>
    onProgress?.({ stage: 'replaying transactions', done, total }),
  );
  if (firstDifference === undefined) return;
  throw new ApiError('upstreamLacksData', `the replay of the block differs: ${firstDifference}`);
}

function blobsOf(
  hashes: readonly unknown[],
  rules: BlockRules,
  request: SimulationRequest,
): NonNullable<SimulatedCall['blobs']> {
  return {
    gasUsed: toQuantity(GAS_PER_BLOB * BigInt(hashes.length)),
    price: toQuantity(blobPriceAt(rules, blockOf(request)) ?? 0n),
  };
}
