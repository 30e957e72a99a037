import type { Address } from '../../api/primitives';
import { standingApprovals } from '../summary/approvals';
import { groupBy } from '../summary/group-by';
import { isInside, type Step } from '../call-frame';
import type { Quantity } from '../summary/quantity';
import type { Scene } from '../summary/scene';
import type { PlacedTransfer } from '../transfers/collect';
import type { Finding } from './finding';

/** Rights without a limit that the sender, or the signer of a permit, leaves behind. */
export const unlimitedApprovals = (scene: Scene): Finding[] =>
  standingApprovals(scene).flatMap((approval) => {
    const { token, owner, spender, isUnlimited, isPermit, event } = approval;
    if (!isUnlimited || (owner !== scene.root.from && !isPermit)) return [];
    return {
      kind: 'unlimitedApproval',
      contract: token,
      account: owner,
      other: spender,
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

/** Tokens of which less arrived than was sent: the events of the token itself say so. One finding for each token. */
export function transferFees({ transferCalls, transfers }: Scene): Finding[] {
  const found = new Map<Address, Finding>();
  const byToken = groupBy(transfers, ({ transfer }) => transfer.asset);
  for (const call of transferCalls) {
    if (found.has(call.token) || call.holder === call.recipient) continue;
    const inside = eventsInside(byToken.get(call.token) ?? [], call.step);
    const arrived = sum(inside, ({ transfer }) => transfer.to === call.recipient);
    const left = sum(inside, ({ transfer }) => transfer.from === call.holder);
    // Tokens that count shares round by one unit.
    if (arrived === 0n || left < arrived || call.amount - arrived <= 1n) continue;
    found.set(call.token, {
      kind: 'transferFee',
      contract: call.token,
      account: call.holder,
      other: call.recipient,
      amounts: [counted(call.token, call.amount), counted(call.token, arrived)],
      nodeIds: [call.step.id, ...inside.map(({ nodeId }) => nodeId)],
    });
  }
  return [...found.values()];
}

/** Transfers of counted tokens inside a call. They are in execution order. */
function eventsInside(transfers: readonly PlacedTransfer[], step: Step): PlacedTransfer[] {
  let [low, high] = [0, transfers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((transfers[middle]?.nodeId ?? 0) < step.id) low = middle + 1;
    else high = middle;
  }
  const inside: PlacedTransfer[] = [];
  for (let one = transfers[low]; one && isInside(step, one.nodeId); one = transfers[++low]) {
    if (one.transfer.standard === 'erc20') inside.push(one);
  }
  return inside;
}

const sum = (
  transfers: readonly PlacedTransfer[],
  counts: (one: PlacedTransfer) => boolean,
): bigint =>
  transfers.reduce((total, one) => (counts(one) ? total + one.transfer.amount : total), 0n);

/**
 * Tokens that the sender, or the contract it called, took from an account by an approval, while the account took no part and got nothing.
 * An account that paid a third party as well may have asked for it: then there is no finding.
 */
export function drainedApprovals(scene: Scene): Finding[] {
  const { steps, root, nets, transfers, transferCalls } = scene;
  const takers = new Set<Address | null>([root.from, root.to]);
  const taking = transferCalls.filter(
    ({ isFrom, amount, recipient }) => isFrom && amount > 0n && takers.has(recipient),
  );
  if (taking.length === 0) return [];
  const holders = new Set(taking.map(({ holder }) => holder));
  const callers = new Set<Address>();
  for (const { frame } of steps) if (holders.has(frame.from)) callers.add(frame.from);
  const found = new Map<string, Finding & { amounts: readonly Quantity[] }>();
  const taken = transfers.filter(({ transfer: { from } }) => from && holders.has(from));
  const byPayer = groupBy(taken, ({ transfer }) => transfer.from);
  let checked = 0;
  for (const { token, holder, amount, step } of taking) {
    if (checked === MAX_CHECKED) break;
    // An account that runs code in the transaction, or sent it, takes part.
    if (callers.has(holder) || takers.has(holder)) continue;
    checked++;
    const own = nets.get(holder) ?? [];
    const isOnlyTaken = (byPayer.get(holder) ?? []).every(({ transfer }) =>
      takers.has(transfer.to ?? null),
    );
    const lost = own.find(({ asset }) => asset === token);
    if (!isOnlyTaken || own.some((net) => net.amount > 0n) || !lost || -lost.amount < amount) {
      continue;
    }
    const key = `${token} ${holder}`;
    const known = found.get(key);
    found.set(key, {
      kind: 'approvalDrained',
      contract: token,
      account: holder,
      other: step.frame.from,
      amounts: [counted(token, (known?.amounts[0]?.amount ?? 0n) + amount)],
      nodeIds: [...(known?.nodeIds ?? []), step.id],
    });
  }
  return [...found.values()];
}
