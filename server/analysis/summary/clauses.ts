import type { Address } from '../../api/primitives';
import { Account } from './account';
import { approvals, called, deployments, isPlainTransfer, upgrades, votes } from './acts';
import type { Clause } from './clause';
import { bridging, claims, mintsAndBurns, othersPayments, payments } from './holdings';
import { addressIn } from './known-events';
import { protocolActs } from './protocols';
import type { Scene } from './scene';
import { collectibleTrades, liquidity, swaps } from './trades';
import { wrappings } from './wrapping';

/** Each takes the transfers that bear its clauses out; what it leaves is for the next. */
const READERS: readonly ((account: Account, scene: Scene) => Clause[])[] = [
  wrappings,
  protocolActs,
  liquidity,
  swaps,
  collectibleTrades,
  mintsAndBurns,
  bridging,
  claims,
  payments,
];

/** Kinds that say what balances did, but not why. */
const PLAIN = new Set<Clause['kind']>(['sent', 'paid', 'received']);

/** What a successful transaction did, in execution order. */
export function clausesOf(scene: Scene): Clause[] {
  const accounts = actorsOf(scene).map((address) => new Account(address, scene.transfers));
  const own = accounts.flatMap((account) => READERS.flatMap((read) => read(account, scene)));
  const owners = new Set(accounts.map(({ address }) => address));
  const others = [...votes(scene), ...deployments(scene), ...upgrades(scene)];
  const moved = own.length > 0 ? own : othersPayments(accounts, scene);
  const clauses = [...moved, ...approvals(owners, scene), ...others];
  const ordered = clauses.sort((a, b) => firstNode(a) - firstNode(b));
  return isExplained(ordered, scene) ? ordered : [called(scene), ...ordered];
}

const firstNode = ({ nodeIds }: Clause): number => nodeIds[0] ?? 0;

/** Whether the clauses say what the top call was for. */
function isExplained(clauses: readonly Clause[], scene: Scene): boolean {
  if (clauses.length === 0) return false;
  return clauses.some(({ kind }) => !PLAIN.has(kind)) || isPlainTransfer(scene);
}

const MAX_WALLETS = 3;

/** The sender, and the wallets in whose name it acts: a Safe that reports the execution, accounts of ERC-4337. */
function actorsOf({ root, events }: Scene): readonly Address[] {
  const wallets = events.flatMap((event) => {
    if (event.name === 'UserOperationEvent') return addressIn(event, 'sender');
    return event.name === 'ExecutionSuccess' && event.address === root.to ? event.address : [];
  });
  return [...new Set([root.from, ...wallets.slice(0, MAX_WALLETS)])];
}
