import type { Address } from '../../api/primitives';
import type { GainMeans } from '../../api/summary-parties';
import type { Clause } from '../summary/clause';
import type { PartyNet } from '../summary/parties';
import { increased, assetKey, type Quantity } from '../summary/quantity';
import type { Scene } from '../summary/scene';
import { isSwap } from '../summary/trades';
import type { Finding } from './finding';

/** Clauses that a gain says better. */
const REPLACED = new Set<Clause['kind']>(['called', 'received', 'took']);
/** Clauses that explain no gain. */
const BESIDES = new Set<Clause['kind']>(['deployed', 'approved', 'revoked', 'upgraded']);

interface GainSources {
  readonly scene: Pick<Scene, 'root' | 'events'>;
  /** Measured net changes, by account. */
  readonly nets: ReadonlyMap<Address, readonly PartyNet[]>;
  /** The sender and the contracts that it created. */
  readonly own: ReadonlySet<Address>;
  readonly findings: readonly Finding[];
}

/**
 * The clauses with what the sender gained in place of what it called. A gain is what the sender and the contracts that it created ended with,
 * the fee aside: more of something, and less of nothing. A trade is no gain, whatever its sides are worth. It is stated if it came by more than
 * a payment, or if a contract of the sender holds it.
 */
export function withGain(clauses: readonly Clause[], sources: GainSources): readonly Clause[] {
  const { scene, own } = sources;
  const isReplaced = (clause: Clause): boolean =>
    REPLACED.has(clause.kind) || isPaymentTo(clause, own);
  const isOpen = clauses.every((one) => isReplaced(one) || BESIDES.has(one.kind));
  const held = isOpen ? gainOf(sources) : [];
  if (held.length === 0) return clauses;
  const means = meansOf(sources);
  const holders = new Set(held.map(({ account }) => account));
  const [holder] = holders;
  if (means.length === 0 && holders.has(scene.root.from)) return clauses;
  const sums = new Map<string, Quantity>();
  for (const net of held) {
    sums.set(assetKey(net), increased(sums.get(assetKey(net)), net, net.amount));
  }
  const replaced = clauses.filter((one) => isReplaced(one));
  return [
    {
      kind: 'gained',
      actor: scene.root.from,
      got: [...sums.values()],
      ...(holders.size === 1 &&
      holder !== undefined &&
      holder !== scene.root.from &&
      own.has(holder)
        ? { recipient: holder }
        : {}),
      ...(means.length === 0 ? {} : { means }),
      nodeIds: [...replaced.flatMap(({ nodeIds }) => nodeIds), ...nodesOf(sources), 0],
    },
    // What its contracts created is how it was made, and not what happened.
    ...clauses.filter(
      (one) => !isReplaced(one) && (one.kind !== 'deployed' || one.actor === scene.root.from),
    ),
  ];
}

/** Whether another account paid one of the sender's. */
const isPaymentTo = (
  { kind, actor, counterparty, recipient }: Clause,
  own: ReadonlySet<Address>,
): boolean =>
  !own.has(actor) &&
  ((kind === 'sent' && counterparty !== undefined && own.has(counterparty)) ||
    (kind === 'took' && recipient !== undefined && own.has(recipient)));

/** Gains of the sender's accounts; none if they lost something together, or if a change is only claimed. */
function gainOf({ nets, own }: GainSources): PartyNet[] {
  const held = [...own].flatMap((account) => nets.get(account) ?? []);
  if (held.some(({ isClaimed }) => isClaimed)) return [];
  const sums = new Map<string, bigint>();
  for (const net of held) sums.set(assetKey(net), (sums.get(assetKey(net)) ?? 0n) + net.amount);
  if ([...sums.values()].some((amount) => amount < 0n)) return [];
  return held.filter((net) => (sums.get(assetKey(net)) ?? 0n) > 0n);
}

/** Findings that say how a gain was made. */
const BY_FINDING = { flashLoan: 'flashLoan', reentered: 'reentrancy' } as const;

const isMeans = (kind: Finding['kind']): kind is keyof typeof BY_FINDING =>
  Object.hasOwn(BY_FINDING, kind);

const nodesOf = ({ findings }: GainSources): number[] =>
  findings.filter(({ kind }) => isMeans(kind)).flatMap(({ nodeIds }) => nodeIds);

function meansOf({ scene, findings }: GainSources): GainMeans[] {
  const counts = new Map<GainMeans['kind'], number>();
  for (const { kind, isClaimed } of findings) {
    if (!isMeans(kind) || isClaimed) continue;
    const means = BY_FINDING[kind];
    counts.set(means, (counts.get(means) ?? 0) + 1);
  }
  const swaps = scene.events.filter((event) => isSwap(event)).length;
  if (swaps > 0) counts.set('swap', swaps);
  return [...counts].map(([kind, count]) => ({ kind, count }));
}
