import type { Address } from '../../api/primitives';
import { standingApprovals } from '../summary/approvals';
import { groupBy } from '../summary/group-by';
import { isInside, type Place } from '../summary/places';
import type { Quantity } from '../summary/quantity';
import type { Scene } from '../summary/scene';
import type { PlacedTransfer } from '../transfers/collect';
import type { Finding } from './finding';

const TRANSFER = '0xa9059cbb'; // transfer(address,uint256)
const TRANSFER_FROM = '0x23b872dd'; // transferFrom(address,address,uint256)

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
      nodeIds: [event.place.id, event.place.parent],
    };
  });

/** A call of `transfer` or `transferFrom` that succeeded. */
interface TransferCall {
  readonly place: Place;
  readonly token: Address;
  readonly holder: Address;
  readonly recipient: Address;
  readonly amount: bigint;
  readonly isFrom: boolean;
}

function transferCall(place: Place): TransferCall | undefined {
  const { frame, log, reverted } = place;
  const { input, to: token, from, type } = frame;
  if (log || reverted || type !== 'CALL' || token === null) return undefined;
  const isFrom = input.startsWith(TRANSFER_FROM) && input.length === 10 + 3 * 64;
  if (!isFrom && !(input.startsWith(TRANSFER) && input.length === 10 + 2 * 64)) return undefined;
  const account = (index: number): Address => `0x${input.slice(34 + 64 * index, 74 + 64 * index)}`;
  return {
    place,
    token,
    holder: isFrom ? account(0) : from,
    recipient: account(isFrom ? 1 : 0),
    amount: BigInt(`0x${input.slice(-64)}`),
    isFrom,
  };
}

/** Further spendings are not checked, to bound the time. */
const MAX_CHECKED = 200;

const counted = (asset: Address, amount: bigint): Quantity => ({
  asset,
  standard: 'erc20',
  amount,
});

/** Tokens of which less arrived than was sent: the events of the token itself say so. One finding for each token. */
export function transferFees({ places, transfers }: Scene): Finding[] {
  const found = new Map<Address, Finding>();
  const byToken = groupBy(transfers, ({ transfer }) => transfer.asset);
  for (const place of places) {
    const call = transferCall(place);
    if (!call || found.has(call.token) || call.holder === call.recipient) continue;
    const inside = eventsInside(byToken.get(call.token) ?? [], place);
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
      nodeIds: [place.id, ...inside.map(({ nodeId }) => nodeId)],
    });
  }
  return [...found.values()];
}

/** Transfers of counted tokens inside a call. They are in execution order. */
function eventsInside(transfers: readonly PlacedTransfer[], place: Place): PlacedTransfer[] {
  let [low, high] = [0, transfers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((transfers[middle]?.nodeId ?? 0) < place.id) low = middle + 1;
    else high = middle;
  }
  const inside: PlacedTransfer[] = [];
  for (let one = transfers[low]; one && isInside(place, one.nodeId); one = transfers[++low]) {
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
export function drainedApprovals({ places, root, nets, transfers }: Scene): Finding[] {
  const takers = new Set<Address | null>([root.from, root.to]);
  const callers = new Set(places.flatMap(({ frame, log }) => (log ? [] : frame.from)));
  const found = new Map<string, Finding & { amounts: readonly Quantity[] }>();
  const byPayer = groupBy(transfers, ({ transfer }) => transfer.from);
  let checked = 0;
  for (const place of places) {
    const call = transferCall(place);
    if (checked === MAX_CHECKED) break;
    if (!call?.isFrom || call.amount === 0n || !takers.has(call.recipient)) continue;
    const { token, holder, amount } = call;
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
      other: place.frame.from,
      amounts: [counted(token, (known?.amounts[0]?.amount ?? 0n) + amount)],
      nodeIds: [...(known?.nodeIds ?? []), place.id],
    });
  }
  return [...found.values()];
}
