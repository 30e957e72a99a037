import type { SimulationCall } from '../../analysis/simulation/simulation';
import { ApiError } from '../../api/errors';
import { RPC_CODES } from '../../api/rpc-codes';
import type { RpcError } from '../../evm/forms/json-rpc';
import type { BlockRules } from '../../evm/rules/block-rules';
import { maxTransactionGas } from '../../evm/rules/transaction-gas';

/** EIP-7825: no block contains a transaction with more gas. A guessed hardfork refuses nothing. @throws ApiError `simulationRejected` */
export function requireGas({ gas }: SimulationCall, rules: BlockRules): void {
  const most = rules.isGuess || rules.later ? undefined : maxTransactionGas(rules);
  if (most === undefined || BigInt(gas) <= BigInt(most)) return;
  throw new ApiError(
    'simulationRejected',
    `the transaction cannot be executed: gas is ${BigInt(gas)}, a transaction may have up to ${most} (EIP-7825)`,
  );
}

const REASON =
  /insufficient|intrinsic gas|nonce|fee cap|max fee|fee per gas|gas limit|gas required|gas (is )?too|init ?code|not an eoa|sender|authorization|overflow/i;

/** Converts an error of the node: `simulationRejected` if it concerns the transaction itself, else the given kind. */
export function rejectedOr(kind: 'upstreamLacksData', error: RpcError): ApiError {
  const rejected = error.code === RPC_CODES.transactionRejected || REASON.test(error.message);
  return rejected
    ? new ApiError('simulationRejected', `the transaction cannot be executed: ${error.message}`, {
        cause: error,
      })
    : new ApiError(kind, `the transaction cannot be simulated: ${error.message}`, {
        cause: error,
      });
}
