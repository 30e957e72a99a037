import type { AssetChange } from '../../../server/api/explorer';
import type { Party, PartyChange } from '../../../server/api/summary-parties';
import { partyEvidence, rolesText } from '../../../server/presentation/party-segments';
import type { AssetNames } from '../../../server/presentation/quantity-segments';
import { rowOf, type BalanceRow } from './balance-model';

/** An account that matters, with the rows of its table. */
export interface PartyRows {
  account: string;
  /** Why it is shown, in words; may be empty. */
  roles: string;
  /** None for an account whose balances stayed as they were. */
  rows: readonly BalanceRow[];
  /** Number of changes beyond those. */
  more: number;
}

function assetOf(change: PartyChange): AssetChange {
  const {
    asset,
    standard,
    rawAmount,
    amount,
    sign,
    tokenId,
    symbol,
    decimals,
    value = '',
  } = change;
  return {
    address: asset,
    rawAmount,
    amount,
    sign,
    value,
    isERC721: standard === 'erc721',
    isERC1155: standard === 'erc1155',
    ...(tokenId === undefined ? {} : { tokenId }),
    ...(symbol === undefined ? {} : { symbol }),
    ...(decimals === undefined ? {} : { decimals }),
  };
}

function changeRow(change: PartyChange, nameOf: AssetNames): BalanceRow {
  const { rawAmount, amount, sign, value = '', claimed } = change;
  const asset = assetOf(change);
  const evidence = partyEvidence(change);
  const claim = evidence === 'contradicted' && claimed ? { claimed } : {};
  return rowOf({ asset, rawAmount, amount, sign, value, evidence, ...claim }, nameOf);
}

/** The parties of a summary as rows of a table. */
export const partyRows = (parties: readonly Party[], nameOf: AssetNames): PartyRows[] =>
  parties.map((party) => ({
    account: party.account,
    roles: rolesText(party),
    rows: party.changes.map((change) => changeRow(change, nameOf)),
    more: party.moreChanges ?? 0,
  }));
