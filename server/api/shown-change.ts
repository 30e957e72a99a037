import type { AssetChange, BalanceChange } from './explorer';
import type { NetAmount } from './summary';
import type { BalanceComparison } from './verification';

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
    const { account, address, rawAmount, sign, tokenId, amount = '', value = '' } = change;
    const { symbol = change.symbol, decimals = change.decimals } = known.get(address) ?? {};
    const asset: AssetChange = {
      address,
      rawAmount,
      amount,
      sign,
      value,
      isERC1155: known.get(address)?.isERC1155 ?? false,
      isERC721: known.get(address)?.isERC721 ?? false,
      ...(tokenId === undefined ? {} : { tokenId }),
      ...(symbol === undefined ? {} : { symbol }),
      ...(decimals === undefined ? {} : { decimals }),
    };
    return { account, asset, rawAmount, amount, sign, value, evidence: 'unreported' };
  });
  return [...reported, ...unreported];
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
    rawAmount: measured.rawAmount,
    amount: measured.amount ?? '',
    sign: measured.sign,
    value: measured.value ?? '',
    evidence: 'contradicted',
    claimed: { rawAmount, amount, sign },
  };
}
