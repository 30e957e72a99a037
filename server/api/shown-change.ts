import type { AssetChange, BalanceChange } from './explorer';
import { NATIVE_ASSET } from './native-asset';
import type { NetAmount } from './net-amount';
import type { BalanceComparison, Measured } from './verification';
import { inUnits, multiplied } from './whole-units';

/** How far a shown change is more than what events claim. */
export type ChangeEvidence =
  /** The balance itself changed by this. */
  | 'measured'
  /** As `measured`, and events claim another change: `claimed`. */
  | 'contradicted'
  /** As `measured`, and no event or call says so. */
  | 'unreported'
  /** Events or calls say so. The balance was not compared. */
  | 'claimed';

/** A balance change as all texts and tables show it: what was measured comes before what is claimed. */
export interface ShownChange extends NetAmount {
  readonly account: string;
  /** Asset with its names; its amounts are those of the transfers. */
  readonly asset: AssetChange;
  /** USD at the block's time; empty where there is no price. */
  readonly value: string;
  readonly evidence: ChangeEvidence;
  /** Set if it differs from the measured change. */
  readonly claimed?: NetAmount;
}

/** Balance changes, with what is known of their verification. */
export interface ComparedBalances extends Pick<BalanceChange, 'balanceChange'> {
  readonly status?: boolean;
  readonly verification?: BalanceComparison | undefined;
}

/** The changes in the order of the answer, then those that no event or call reports. */
export function shownChanges({ balanceChange, verification }: ComparedBalances): ShownChange[] {
  const reported = balanceChange.flatMap(({ account, assets }) =>
    assets.map((asset) => shownChange(account, asset)),
  );
  const known = new Map(reported.map(({ asset }) => [asset.address, asset]));
  const unreported = (verification?.untold ?? []).map((change): ShownChange => {
    const { account, address, tokenId } = change;
    const like = known.get(address);
    const native = address === NATIVE_ASSET ? { decimals: NATIVE_DECIMALS } : {};
    const asset: AssetChange = {
      ...EMPTY,
      ...native,
      ...(like ? factsOf(like) : {}),
      address,
      ...(tokenId === undefined ? {} : { tokenId }),
    };
    return { account, asset, ...inAsset(change, asset), evidence: 'unreported' };
  });
  return impliedByOthers([...reported, ...unreported]);
}

const NOBODY = `0x${'0'.repeat(40)}`;
const assetKey = ({ address, tokenId = '' }: AssetChange): string => `${address} ${tokenId}`;

/**
 * Nobody's balance is never compared, and that of a wrapped native token in itself is none. Changes of an asset add up to zero, so that one
 * of these is measured where all others of the asset are.
 */
function impliedByOthers(changes: readonly ShownChange[]): ShownChange[] {
  const isImplied = ({ account, asset, evidence }: ShownChange): boolean =>
    evidence === 'claimed' && (account === NOBODY || account === asset.address);
  if (!changes.some(isImplied)) return [...changes];
  const open = new Set<string>();
  const known = new Set<string>();
  for (const change of changes) {
    if (isImplied(change)) continue;
    (change.evidence === 'measured' ? known : open).add(assetKey(change.asset));
  }
  return changes.map((change) => {
    const key = assetKey(change.asset);
    return isImplied(change) && known.has(key) && !open.has(key)
      ? { ...change, evidence: 'measured' }
      : change;
  });
}

function shownChange(account: string, asset: AssetChange): ShownChange {
  const { rawAmount, amount, sign, value, verified, measured } = asset;
  if (verified !== false || measured === undefined) {
    const evidence = verified === true ? 'measured' : 'claimed';
    return { account, asset, rawAmount, amount, sign, value, evidence };
  }
  return {
    account,
    asset,
    ...inAsset(measured, asset),
    evidence: 'contradicted',
    claimed: { rawAmount, amount, sign },
  };
}

const NATIVE_DECIMALS = 18;
const EMPTY = {
  rawAmount: '',
  amount: '',
  sign: true,
  value: '',
  isERC1155: false,
  isERC721: false,
};

/** What is known of an asset, without its amounts. */
const factsOf = ({
  isERC1155,
  isERC721,
  symbol,
  decimals,
  price,
}: AssetChange): Partial<AssetChange> => ({
  isERC1155,
  isERC721,
  ...(symbol === undefined ? {} : { symbol }),
  ...(decimals === undefined ? {} : { decimals }),
  ...(price === undefined ? {} : { price }),
});

/** A measured amount in units of its asset, with its value. */
function inAsset(
  { rawAmount, sign }: Measured,
  { decimals, price }: AssetChange,
): Pick<ShownChange, 'rawAmount' | 'sign' | 'amount' | 'value'> {
  const amount = decimals === undefined ? '' : inUnits(rawAmount, decimals);
  const value = amount === '' || price === undefined ? '' : multiplied(amount, price.value);
  return { rawAmount, sign, amount, value };
}
