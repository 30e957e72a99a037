import type { Address } from '../../api/primitives';
import type { Work } from '../../kernel/async/slices';
import type { NetChange } from '../balances/net-changes';
import { isFungible, type Quantity } from '../summary/quantity';
import type { Scene } from '../summary/scene';
import { implementationChangesWork, ownerChangesWork } from './control';
import type { Finding } from './finding';

/**
 * Contracts whose owner or code changed, and whose funds left afterwards in the same transaction: to the new owner, or by the new code.
 * A contract that got something for them is left out.
 */
export function* controlAndFundsWork(scene: Scene): Work<Finding[]> {
  const owners = yield* ownerChangesWork(scene);
  const codes = yield* implementationChangesWork(scene);
  const found: Finding[] = [];
  for (const change of [...owners, ...codes]) {
    yield 1;
    const { contract, other, nodeIds } = change;
    const changedAt = nodeIds[0] ?? 0;
    const own = scene.nets.get(contract) ?? [];
    if (other === undefined || own.length === 0 || own.some(({ amount }) => amount > 0n)) continue;
    const moves = scene.transfers.filter(
      ({ transfer, nodeId }) => transfer.from === contract && nodeId > changedAt,
    );
    const assets = new Set(moves.map(({ transfer }) => transfer.asset));
    const lost = own.filter(({ asset }) => assets.has(asset));
    const recipient = change.kind === 'ownerChanged' ? other : onlyRecipient(moves);
    const gained = recipient === undefined ? [] : (scene.nets.get(recipient) ?? []);
    const taken = lost.filter((one) => isGained(one, gained));
    if (recipient === undefined || taken.length === 0) continue;
    found.push({
      kind: 'controlAndFunds',
      contract,
      other,
      recipient,
      ...(change.before === undefined ? {} : { before: change.before }),
      amounts: taken.slice(0, MAX_AMOUNTS).map((one) => quantityOf(one)),
      ...(change.isClaimed ? { isClaimed: true } : {}),
      nodeIds: [...nodeIds, ...moves.map(({ nodeId }) => nodeId)],
    });
  }
  return found;
}
const MAX_AMOUNTS = 2;

type Moves = Scene['transfers'];

/** The account that everything went to; undefined if there are more. */
function onlyRecipient(moves: Moves): Address | undefined {
  const all = new Set(moves.map(({ transfer, measured }) => transfer.to ?? measured?.other));
  const [one] = all;
  return all.size === 1 ? one : undefined;
}

/** Whether an account gained what another lost, at least in part: a fee may be deducted. */
const isGained = ({ asset, tokenId }: NetChange, gained: readonly NetChange[]): boolean =>
  gained.some((one) => one.asset === asset && one.tokenId === tokenId && one.amount > 0n);

const quantityOf = ({ asset, standard, tokenId, amount }: NetChange): Quantity => ({
  asset,
  standard,
  ...(tokenId === undefined ? {} : { tokenId }),
  amount: isFungible({ standard }) || amount < -1n ? -amount : 1n,
});
