import type { SummaryClause, VenueKind } from '../../api/summary';
import type { Address } from '../../api/primitives';
import type { AssetFacts } from '../balances/asset-amount';
import { toSummaryQuantity, type Quantity } from './quantity';

/** A clause before its amounts are in the interface's form. */
export interface Clause extends Pick<
  SummaryClause,
  | 'kind'
  | 'method'
  | 'isGuessed'
  | 'proposal'
  | 'support'
  | 'bridge'
  | 'isAtLeast'
  | 'isUnlimited'
  | 'isClaimed'
  | 'means'
  | 'arguments'
  | 'moreArguments'
  | 'changes'
  | 'moreChanges'
  | 'nodeIds'
> {
  readonly actor: Address;
  readonly gave?: readonly Quantity[];
  readonly got?: readonly Quantity[];
  readonly counterparty?: Address | undefined;
  readonly recipient?: Address;
  readonly implementation?: Address;
  readonly venues?: readonly { readonly address: Address; readonly kind: VenueKind }[];
}

const MAX_QUANTITIES = 4;
const MAX_NODES = 8;
const MAX_VENUES = 4;

/** A clause in the interface's form, with bounded lists. */
export function toSummaryClause(clause: Clause, facts: AssetFacts): SummaryClause {
  const { gave = [], got = [], counterparty, venues, nodeIds, ...rest } = clause;
  const listed = (all: readonly Quantity[]): SummaryClause['gave'] =>
    all.slice(0, MAX_QUANTITIES).map((one) => toSummaryQuantity(one, facts));
  const omitted =
    Math.max(gave.length - MAX_QUANTITIES, 0) + Math.max(got.length - MAX_QUANTITIES, 0);
  return {
    ...rest,
    gave: listed(gave),
    got: listed(got),
    ...(omitted === 0 ? {} : { omitted }),
    ...(counterparty === undefined ? {} : { counterparty }),
    ...(venues ? { venues: venues.slice(0, MAX_VENUES), venueCount: venues.length } : {}),
    nodeIds: [...new Set(nodeIds)].slice(0, MAX_NODES),
  };
}

/** Tokens whose facts the clauses need. */
export const assetsOf = (clauses: readonly Pick<Clause, 'gave' | 'got'>[]): Address[] => [
  ...new Set(
    clauses
      .flatMap(({ gave = [], got = [] }) => [...gave, ...got])
      .flatMap(({ asset, standard }) => (standard === 'native' ? [] : asset)),
  ),
];
