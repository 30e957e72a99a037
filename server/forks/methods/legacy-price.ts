import { isMissing, type Fields } from '../../evm/forms/fields';
import { invalidParams } from '../../evm/forms/json-rpc';
import { isSince } from '../../evm/forms/hardfork-order';
import { readGasPrice } from '../reads/gas-price';
import type { RunningFork } from '../reads/running-fork';

const FEES_OF_LONDON = ['maxFeePerGas', 'maxPriorityFeePerGas'] as const;

/**
 * Adds a gas price to an unsigned transaction without one, on a fork whose rules are older than EIP-1559: the engine fills in the fees of
 * EIP-1559, and then refuses them.
 * @throws RpcError -32602 for fees of EIP-1559 on such a fork
 */
export async function withLegacyPrice(fork: RunningFork, fields: Fields): Promise<Fields> {
  if (isSince(fork.hardfork, 'london')) return fields;
  for (const name of FEES_OF_LONDON) {
    if (isMissing(fields[name])) continue;
    throw invalidParams(
      name,
      fields[name],
      `none, but gasPrice: the rules of this fork are ${fork.hardfork}'s, older than EIP-1559`,
    );
  }
  if (!isMissing(fields['gasPrice'])) return fields;
  return { ...fields, gasPrice: await readGasPrice(fork) };
}
