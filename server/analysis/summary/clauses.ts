import type { Address } from '../../api/primitives';
import type { Work } from '../../kernel/async/slices';
import { Account } from './account';
import { approvals, called, deployments, isPlainTransfer, upgradesWork, votes } from './acts';
import type { Clause } from './clause';
import { bridging, claims, mintsAndBurns, othersPaymentsWork, paymentsWork } from './holdings';
import { addressIn } from './known-events';
import { protocolActsWork } from './protocols';
import type { Scene } from './scene';
import { collectibleTrades, liquidity, swaps } from './trades';
import { wrappings } from './wrapping';

/** Each takes the transfers that bear its clauses out; what it leaves is for the next. */
const READERS: readonly ((account: Account, scene: Scene) => Work<Clause[]>)[] = [
  once(wrappings),
  protocolActsWork,
  once(liquidity),
  once(swaps),
  once(collectibleTrades),
  once(mintsAndBurns),
  once(bridging),
  once(claims),
  paymentsWork,
];

/** A reader that looks through the transfers a few times. */
function once(
  read: (account: Account, scene: Scene) => Clause[],
): (account: Account, scene: Scene) => Work<Clause[]> {
  return function* work(account, scene): Work<Clause[]> {
    yield 1;
    return read(account, scene);
  };
}

/** Kinds that say what balances did, but not why. */
const PLAIN = new Set<Clause['kind']>(['sent', 'paid', 'received']);

/** What a successful transaction did, in execution order. */
export function* clausesWork(scene: Scene): Work<Clause[]> {
  const accounts: Account[] = [];
  const own: Clause[] = [];
  for (const address of actorsOf(scene)) {
    const account = new Account(address, scene.transfers);
    accounts.push(account);
    for (const read of READERS) for (const clause of yield* read(account, scene)) own.push(clause);
  }
  const owners = new Set(accounts.map(({ address }) => address));
  yield 1;
  const upgraded = yield* upgradesWork(scene);
  const others = [...votes(scene), ...deployments(scene), ...upgraded];
  yield 1;
  const moved = own.length > 0 ? own : yield* othersPaymentsWork(accounts, scene);
  yield 1;
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
