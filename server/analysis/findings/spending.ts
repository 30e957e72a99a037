import type { Address } from '../../api/primitives';
import type { Work } from '../../kernel/async/slices';
import { groupBy } from '../summary/group-by';
import { isInside } from '../call-frame';
import type { Quantity } from '../summary/quantity';
import type { Scene } from '../summary/scene';
import type { TransferCall } from '../summary/transfer-calls';
import type { PlacedTransfer } from '../transfers/collect';
import type { Finding } from './finding';

/** Rights without a limit that the sender, or the signer of a permit, leaves behind. */
export const unlimitedApprovals = (scene: Scene): Finding[] =>
  scene.approvals.flatMap((approval) => {
    const { token, owner, spender, quantity, isUnlimited, isPermit, event } = approval;
    if (!isUnlimited || (owner !== scene.root.from && !isPermit)) return [];
    return {
      kind: 'unlimitedApproval',
      contract: token,
      account: owner,
      other: spender,
      ...(quantity.isClaimed ? { isClaimed: true } : {}),
      nodeIds: [event.step.id, event.step.parent],
    };
  });

/** Further spendings are not checked, to bound the time. */
const MAX_CHECKED = 200;

const counted = (asset: Address, amount: bigint): Quantity => ({
  asset,
  standard: 'erc20',
  amount,
});

/** Tokens of which less arrived than was sent, by their own events or as measured. One finding for each token. */
export function* transferFeesWork({ transferCalls, transfers }: Scene): Work<Finding[]> {
  const found = new Map<Address, Finding>();
  const byToken = groupBy(transfers, ({ transfer }) => transfer.asset);
  for (const call of transferCalls) {
    yield 1;
    const own = byToken.get(call.token);
    if (!own || found.has(call.token) || call.holder === call.recipient) continue;
    const { arrived, left, nodeIds } = movedInside(call, own);
    // Tokens that count shares round by one unit.
    if (arrived === 0n || left < arrived || call.amount - arrived <= 1n) continue;
    found.set(call.token, {
      kind: 'transferFee',
      contract: call.token,
      account: call.holder,
      other: call.recipient,
      amounts: [counted(call.token, call.amount), counted(call.token, arrived)],
      nodeIds: [call.step.id, ...nodeIds],
    });
  }
  return [...found.values()];
}

/**
 * What arrived at the recipient and left the holder inside a call.
 * @param transfers of the call's token, in execution order
 */
function movedInside(
  { step, holder, recipient }: TransferCall,
  transfers: readonly PlacedTransfer[],
): { arrived: bigint; left: bigint; nodeIds: number[] } {
  let [low, high] = [0, transfers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((transfers[middle]?.nodeId ?? 0) < step.id) low = middle + 1;
    else high = middle;
  }
  let [arrived, left] = [0n, 0n];
  const nodeIds: number[] = [];
  for (let one = transfers[low]; one && isInside(step, one.nodeId); one = transfers[++low]) {
    const { standard, from, to, amount } = one.transfer;
    if (standard !== 'erc20' || (one.measured && one.measured.count > 1)) continue;
    if (to === recipient) arrived += amount;
    if (from === holder) left += amount;
    nodeIds.push(one.nodeId);
  }
  return { arrived, left, nodeIds };
}

/** The first spendings of an approval in favour of the takers, of accounts that take no part: they run no code, and did not send it. */
function takings(
  { steps, transferCalls }: Scene,
  takers: ReadonlySet<Address | null>,
): TransferCall[] {
  let callers: Set<Address> | undefined;
  const found: TransferCall[] = [];
  for (const call of transferCalls) {
    const { isFrom, amount, holder, recipient } = call;
    if (!isFrom || amount === 0n || !takers.has(recipient) || takers.has(holder)) continue;
    callers ??= new Set(steps.map(({ frame }) => frame.from));
    if (callers.has(holder)) continue;
    found.push(call);
    if (found.length === MAX_CHECKED) break;
  }
  return found;
}

/**
 * Tokens that the sender, or the contract it called, took from an account by an approval, while the account took no part and got nothing.
 * An account that paid a third party as well may have asked for it: then there is no finding.
 */
export function* drainedApprovalsWork(scene: Scene): Work<Finding[]> {
  const { root, nets, transfers } = scene;
  const takers = new Set<Address | null>([root.from, root.to]);
  const checked = takings(scene, takers);
  if (checked.length === 0) return [];
  const holders = new Set(checked.map(({ holder }) => holder));
  const taken = transfers.filter(({ transfer: { from } }) => from && holders.has(from));
  const byPayer = groupBy(taken, ({ transfer }) => transfer.from);
  const found = new Map<string, Finding & { amounts: readonly Quantity[] }>();
  for (const { token, holder, amount, step } of checked) {
    yield 1;
    const own = nets.get(holder) ?? [];
    const isOnlyTaken = (byPayer.get(holder) ?? []).every(({ transfer }) =>
      takers.has(transfer.to ?? null),
    );
    const lost = own.find(({ asset }) => asset === token);
    if (!isOnlyTaken || own.some((net) => net.amount > 0n) || !lost || -lost.amount < amount) {
      continue;
    }
    const isClaimed = taken.some(
      ({ transfer }) => transfer.asset === token && transfer.from === holder && transfer.isClaimed,
    );
    const key = `${token} ${holder}`;
    const known = found.get(key);
    found.set(key, {
      kind: 'approvalDrained',
      contract: token,
      account: holder,
      other: step.frame.from,
      amounts: [
        {
          ...counted(token, (known?.amounts[0]?.amount ?? 0n) + amount),
          ...(isClaimed ? { isClaimed: true } : {}),
        },
      ],
      nodeIds: [...(known?.nodeIds ?? []), step.id],
    });
  }
  return [...found.values()];
}
