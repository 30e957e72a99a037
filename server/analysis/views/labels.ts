import type { InvocationFlow } from '../../api/explorer';
import type { Address } from '../../api/primitives';
import { executionSteps } from '../call-frame';
import type { LocatedExecution } from '../executed-transaction';
import type { KnownName, TokenFacts } from '../ports';
import { CONSOLE } from '../decoding/console';
import { PRECOMPILES } from '../decoding/precompiles';

const BUILT_IN = new Map(PRECOMPILES).set(CONSOLE, 'console');

/**
 * Labels of the addresses of a trace: contract names, token symbols, purposes of precompiles, and `console`. Labels of the configuration override
 * these, and the user's own labels override both.
 * @param names of contracts that their sources do not name, or name less well
 */
export function labelsOf(
  { network, executed, known, userLabels }: LocatedExecution,
  tokens: ReadonlyMap<Address, TokenFacts>,
  names: ReadonlyMap<Address, KnownName> = new Map(),
): Pick<InvocationFlow, 'labels' | 'userLabels' | 'nameSources'> {
  const labels = new Map<Address, string>();
  for (const [address, { name }] of known.contracts) if (name) labels.set(address, name);
  for (const [address, { symbol }] of tokens) if (symbol) labels.set(address, symbol);
  for (const [address, { name }] of names) labels.set(address, name);
  for (const { frame } of executionSteps(executed.trace.root)) {
    const name = frame.to === null ? undefined : BUILT_IN.get(frame.to);
    if (frame.to !== null && name !== undefined) labels.set(frame.to, name);
  }
  const own = Object.keys(userLabels);
  const isFound = (address: Address): boolean =>
    network.labels?.[address] === undefined && userLabels[address] === undefined;
  const sources = [...names].flatMap(([address, { source }]) =>
    isFound(address) ? [[address, source] as const] : [],
  );
  return {
    labels: { ...Object.fromEntries(labels), ...network.labels, ...userLabels },
    ...(own.length === 0 ? {} : { userLabels: own }),
    ...(sources.length === 0 ? {} : { nameSources: Object.fromEntries(sources) }),
  };
}
