import type { Address } from '../../api/primitives';
import { STEPS_PER_YIELD, type Work } from '../../kernel/async/slices';
import type { PlacedTransfer } from '../transfers/collect';
import type { TokenStandard, Transfer } from '../transfers/transfer';
import { claimKey, ZERO_ADDRESS, type BalanceClaim, type CheckedClaim } from './claims';

/** A balance whose measured change differs from what the transfers claim. */
export interface Contradiction {
  readonly account: Address;
  readonly asset: Address;
  readonly standard: TokenStandard;
  readonly tokenId?: bigint;
  /** Net of the transfers, in the smallest unit; 0 if none names the account. */
  readonly claimed: bigint;
  readonly measured: bigint;
  /** Nodes of the transfers that claim it. */
  readonly nodeIds: readonly number[];
}

/** Transfers that the state does not contradict. */
export interface ReconciledTransfers {
  /** In execution order. */
  readonly transfers: readonly PlacedTransfer[];
  /** In the order of the transfers; those that no transfer claims come last. */
  readonly contradictions: readonly Contradiction[];
}

/** Nodes of a contradiction that are kept. */
const MAX_NODES = 8;

/**
 * Replaces the transfers of each token that the state contradicts. A token that reports one change wrongly is believed in no other: the
 * measured change of each account takes the place of its transfers. The native asset has no contract to disbelieve: there, only the accounts
 * whose measured change differs lose their transfers. Transfers of tokens that could not be measured are marked.
 * @param checked net changes with the measured ones, by `claimKey`
 */
export function* reconcileWork(
  transfers: readonly PlacedTransfer[],
  checked: ReadonlyMap<string, CheckedClaim>,
): Work<ReconciledTransfers> {
  const disputed = new Set<string>();
  const wrong = new Set<Address>();
  for (const claim of checked.values()) {
    if (claim.amount === claim.measured) continue;
    if (claim.standard === 'native') wrong.add(claim.account);
    else disputed.add(tokenKey(claim));
  }
  const kept: PlacedTransfer[] = [];
  const shares = new Map<string, Share>();
  for (const [index, placed] of transfers.entries()) {
    const { transfer } = placed;
    const isDisputed = disputed.has(tokenKey(transfer));
    for (const account of isDisputed || transfer.standard === 'native' ? sidesOf(transfer) : []) {
      addTo(shares, account, placed);
    }
    const sides = isDisputed ? 'contradicted' : evidenceOf(transfer, checked);
    if (transfer.standard === 'native') kept.push(...nativeParts(placed, wrong));
    else if (sides === 'measured') kept.push(placed);
    else if (sides === 'unmeasured') kept.push(claimedOnly(placed));
    if (index % STEPS_PER_YIELD === 0) yield STEPS_PER_YIELD;
  }
  const measured: PlacedTransfer[] = [];
  for (const [key, share] of shares) {
    if (share.first.transfer.standard !== 'native' || wrong.has(share.account))
      measured.push(...movesOf(share, checked.get(key)));
  }
  const all = measured.length === 0 ? kept : [...kept, ...measured].sort(byNode);
  return { transfers: all, contradictions: contradictionsOf(checked, shares) };
}

const byNode = (a: PlacedTransfer, b: PlacedTransfer): number => a.nodeId - b.nodeId;

const tokenKey = ({ asset, tokenId }: Pick<BalanceClaim, 'asset' | 'tokenId'>): string =>
  tokenId === undefined ? asset : `${asset} ${tokenId}`;

/** The accounts whose balance a transfer changes. A wrapped native token does not hold the tokens that it counts as its own. */
export function sidesOf({ from, to, asset, standard }: Transfer): Address[] {
  if (from === to) return [];
  return [from, to].flatMap((side) =>
    side === undefined || side === ZERO_ADDRESS || (side === asset && standard === 'erc20')
      ? []
      : side,
  );
}

function evidenceOf(
  transfer: Transfer,
  checked: ReadonlyMap<string, CheckedClaim>,
): 'measured' | 'unmeasured' {
  const isMeasured = sidesOf(transfer).every((account) =>
    checked.has(claimKey({ ...transfer, account })),
  );
  return isMeasured ? 'measured' : 'unmeasured';
}

/** The transfers of one account in one token. */
interface Share {
  readonly account: Address;
  readonly first: PlacedTransfer;
  readonly others: Set<Address | undefined>;
  readonly nodeIds: number[];
  count: number;
}

function addTo(shares: Map<string, Share>, account: Address, placed: PlacedTransfer): void {
  const { from, to } = placed.transfer;
  const key = claimKey({ ...placed.transfer, account });
  let share = shares.get(key);
  if (!share) {
    share = { account, first: placed, others: new Set(), nodeIds: [], count: 0 };
    shares.set(key, share);
  }
  share.count++;
  share.others.add(from === account ? to : from);
  if (share.nodeIds.length < MAX_NODES) share.nodeIds.push(placed.nodeId);
}

const claimedOnly = (placed: PlacedTransfer): PlacedTransfer => ({
  ...placed,
  transfer: { ...placed.transfer, isClaimed: true },
});

/** A native transfer as it is, or the side of it that the state bears out. */
function nativeParts(placed: PlacedTransfer, wrong: ReadonlySet<Address>): PlacedTransfer[] {
  const { transfer } = placed;
  const { from, to, amount } = transfer;
  const sides = sidesOf(transfer);
  if (!sides.some((side) => wrong.has(side))) return [placed];
  return sides.flatMap((side) => {
    if (wrong.has(side)) return [];
    const isGain = side === to;
    const half = { ...transfer, from: isGain ? undefined : from, to: isGain ? to : undefined };
    const claimed = isGain ? amount : -amount;
    return [
      { ...placed, transfer: half, measured: { claimed, count: 1, other: isGain ? from : to } },
    ];
  });
}

/** The measured change of an account as one transfer with one side; none if its balance did not change or could not be read. */
function movesOf(share: Share, claim: CheckedClaim | undefined): PlacedTransfer[] {
  if (claim === undefined || claim.measured === 0n) return [];
  const { account, first, others, count } = share;
  const { measured, amount: claimed } = claim;
  const isGain = measured > 0n;
  const [other] = others;
  const isSameDirection = isGain === claimed > 0n;
  return [
    {
      ...first,
      transfer: {
        ...first.transfer,
        from: isGain ? undefined : account,
        to: isGain ? account : undefined,
        amount: isGain ? measured : -measured,
      },
      measured: { claimed, count, other: others.size === 1 && isSameDirection ? other : undefined },
    },
  ];
}

function contradictionsOf(
  checked: ReadonlyMap<string, CheckedClaim>,
  shares: ReadonlyMap<string, Share>,
): Contradiction[] {
  const claimed: Contradiction[] = [];
  const unclaimed: Contradiction[] = [];
  for (const [key, { account, asset, standard, tokenId, amount, measured }] of checked) {
    if (amount === measured) continue;
    const nodeIds = shares.get(key)?.nodeIds ?? [];
    const id = tokenId === undefined ? {} : { tokenId };
    const one = { account, asset, standard, ...id, claimed: amount, measured, nodeIds };
    (nodeIds.length > 0 ? claimed : unclaimed).push(one);
  }
  claimed.sort((a, b) => (a.nodeIds[0] ?? 0) - (b.nodeIds[0] ?? 0));
  return [...claimed, ...unclaimed];
}
