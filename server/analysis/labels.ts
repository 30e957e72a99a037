import type { InvocationFlow } from '../api/explorer';
import type { Address } from '../api/primitives';
import { executionSteps } from './call-frame';
import type { LocatedExecution } from './executed-transaction';
import type { TokenFacts } from './ports';
import { PRECOMPILES } from './precompiles';

export interface LabelSource {
  /** Names that a user gave to addresses, for all chains and for the given ones, of which later ones win. */
  labelsOf(user: string, chains: readonly string[]): Promise<Record<Address, string>>;
}

/**
 * Names of contracts, symbols of tokens, and what precompiles do, for the addresses of a trace. Over these count the names of the
 * configuration, and over all the user's own.
 */
export function labelsOf(
  { network, executed, known, userLabels }: LocatedExecution,
  tokens: ReadonlyMap<Address, TokenFacts>,
): Pick<InvocationFlow, 'labels' | 'userLabels'> {
  const labels = new Map<Address, string>();
  for (const [address, { name }] of known.contracts) if (name) labels.set(address, name);
  for (const [address, { symbol }] of tokens) if (symbol) labels.set(address, symbol);
  for (const { frame } of executionSteps(executed.trace.root)) {
    const name = frame.to === null ? undefined : PRECOMPILES.get(frame.to);
    if (frame.to !== null && name !== undefined) labels.set(frame.to, name);
  }
  const own = Object.keys(userLabels);
  return {
    labels: { ...Object.fromEntries(labels), ...network.labels, ...userLabels },
    ...(own.length === 0 ? {} : { userLabels: own }),
  };
}
