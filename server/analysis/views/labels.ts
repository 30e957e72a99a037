import type { InvocationFlow } from '../../api/explorer';
import type { Address } from '../../api/primitives';
import { executionSteps } from '../call-frame';
import type { LocatedExecution } from '../executed-transaction';
import type { TokenFacts } from '../ports';
import { PRECOMPILES } from '../decoding/precompiles';

/**
 * Labels of the addresses of a trace: contract names, token symbols and purposes of precompiles. Labels of the configuration override
 * these, and the user's own labels override both.
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
