import type { Address } from '../../api/primitives';
import type { Work } from '../../kernel/async/slices';
import { groupBy } from '../summary/group-by';
import { isInside } from '../call-frame';
import type { Quantity } from '../summary/quantity';
import type { Scene } from '../summary/scene';
import type { TransferCall } from '../summary/transfer-calls';
import type { PlacedTransfer } from '../transfers/collect';
import type { NetChange } from '../balances/net-changes';
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
    const { arrived, left, isMeasured, nodeIds } = movedInside(call, own);
    // Tokens that count shares round by one unit.
    if (arrived === 0n || left < arrived || call.amount - arrived <= 1n) continue;
    // Nothing is missing between two measured changes: the token moved less than it was asked for.
    if (isMeasured && left === arrived) continue;
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
): { arrived: bigint; left: bigint; isMeasured: boolean; nodeIds: number[] } {
  let [low, high] = [0, transfers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((transfers[middle]?.nodeId ?? 0) < step.id) low = middle + 1;
    else high = middle;
  }
  let [arrived, left] = [0n, 0n];
  let isMeasured = false;
  const nodeIds: number[] = [];
  for (let one = transfers[low]; one && isInside(step, one.nodeId); one = transfers[++low]) {
    const { standard, from, to, amount } = one.transfer;
    if (standard !== 'erc20' || (one.measured && one.measured.count > 1)) continue;
    if (to === recipient) arrived += amount;
    if (from === holder) left += amount;
    if (one.measured) isMeasured = true;
    nodeIds.push(one.nodeId);
  }
  return { arrived, left, isMeasured, nodeIds };
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
 * What a call of `transferFrom` took from an account by its net changes: an amount, or the token with this id.
 * @returns undefined if the account did not lose it
 */
export function quantityTaken(
  { token, amount }: Pick<TransferCall, 'token' | 'amount'>,
  nets: readonly NetChange[],
): Quantity | undefined {
  const own = nets.filter((net) => net.asset === token && net.amount < 0n);
  const one = own.find(({ tokenId }) => tokenId === undefined || tokenId === amount);
  if (!one) return undefined;
  const { standard, tokenId } = one;
  if (tokenId !== undefined) return { asset: token, standard, tokenId, amount: 1n };
  return -one.amount < amount ? undefined : counted(token, amount);
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
    const taking = quantityTaken({ token, amount }, own);
    if (!isOnlyTaken || own.some((net) => net.amount > 0n) || !taking) continue;
    const isClaimed = taken.some(
      ({ transfer }) => transfer.asset === token && transfer.from === holder && transfer.isClaimed,
    );
    const key = `${token} ${holder} ${taking.tokenId ?? ''}`;
    const known = found.get(key);
    found.set(key, {
      kind: 'approvalDrained',
      contract: token,
      account: holder,
      other: step.frame.from,
      amounts: [
        {
          ...taking,
          amount: (known?.amounts[0]?.amount ?? 0n) + taking.amount,
          ...(isClaimed ? { isClaimed: true } : {}),
        },
      ],
      nodeIds: [...(known?.nodeIds ?? []), step.id],
    });
  }
  return [...found.values()];
}
