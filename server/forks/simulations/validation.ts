import { RpcError } from '../../evm/forms/json-rpc';
import { senderOf, setNonces } from './assemble';
import type { Fields } from '../../evm/forms/fields';
import { optional, type PlannedBlock } from './plan';
import { RPC_CODES } from '../../api/rpc-codes';

/** A call that is invalid in its block, and its position. */
export interface RefusedCall {
  block: number;
  call: number;
  error: RpcError;
}

const MAX_NONCE = (1n << 64n) - 1n;

/**
 * The first call with a wrong nonce, with more gas than a transaction may have, or with a fee below the base fee: the engine checks none.
 * @param before nonces of the senders before the first block
 * @param maxGas most gas of a transaction
 */
export function firstRefused(
  planned: readonly PlannedBlock[],
  before: ReadonlyMap<string, bigint>,
  maxGas: number | undefined,
): RefusedCall | undefined {
  const nonces = new Map(before);
  for (const [block, { calls, baseFeePerGas = 0n, stateOverrides }] of planned.entries()) {
    setNonces(nonces, stateOverrides);
    for (const [call, fields] of calls.entries()) {
      const nonce = nonces.get(senderOf(fields)) ?? 0n;
      nonces.set(senderOf(fields), nonce + 1n);
      const error = reasonOf(fields, nonce, { baseFee: baseFeePerGas, maxGas });
      if (error) return { block, call, error };
    }
  }
  return undefined;
}

const capOf = ({ maxFeePerGas, gasPrice }: Fields): bigint =>
  optional('maxFeePerGas', maxFeePerGas) ?? optional('gasPrice', gasPrice) ?? 0n;

function reasonOf(
  call: Fields,
  nonce: bigint,
  { baseFee, maxGas }: { baseFee: bigint; maxGas: number | undefined },
): RpcError | undefined {
  const account = `address ${senderOf(call)}`;
  const given = optional('nonce', call['nonce']) ?? nonce;
  if (given < nonce) {
    return new RpcError(
      RPC_CODES.nonceTooLow,
      `nonce too low: ${account}, tx: ${given} state: ${nonce}`,
    );
  }
  if (given > nonce) {
    return new RpcError(
      RPC_CODES.nonceTooHigh,
      `nonce too high: ${account}, tx: ${given} state: ${nonce}`,
    );
  }
  if (nonce >= MAX_NONCE) {
    return new RpcError(RPC_CODES.internal, `nonce has max value: ${account}, nonce: ${nonce}`);
  }
  const gas = optional('gas', call['gas']);
  if (gas !== undefined && maxGas !== undefined && gas > maxGas) {
    return new RpcError(
      RPC_CODES.transactionRejected,
      `transaction gas limit too high: ${account}, gas: ${gas}, a transaction may have up to ${maxGas} (EIP-7825)`,
    );
  }
  if (capOf(call) >= baseFee) return undefined;
  const fees = `maxFeePerGas: ${capOf(call)}, baseFee: ${baseFee}`;
  return new RpcError(
    RPC_CODES.feeBelowBaseFee,
    `max fee per gas less than block base fee: ${account}, ${fees}`,
  );
}
