import { NATIVE_ASSET, type AssetChange, type BalanceChange } from '../../api/explorer';
import type { Address } from '../../api/primitives';
import type { Work } from '../../kernel/async/slices';
import { assetAmount, type AssetFacts } from './asset-amount';
import { priceFacts, verdictOf } from './verdict';
import type { NetChange } from './net-changes';

/**
 * Balance changes in the interface's form. Accounts are ordered: sender, receiver, then ascending. The assets of an account are ordered:
 * the native asset first, then tokens ascending.
 * @param first the accounts at the top of the list, if they changed
 */
export function* balanceChangeWork(
  nets: readonly NetChange[],
  first: readonly (Address | null)[],
  facts: AssetFacts,
): Work<BalanceChange['balanceChange']> {
  const byAccount = new Map<Address, NetChange[]>();
  for (const net of nets) {
    const list = byAccount.get(net.account);
    if (list) list.push(net);
    else byAccount.set(net.account, [net]);
  }
  const place = (account: Address): number => {
    const index = first.indexOf(account);
    return index === -1 ? first.length : index;
  };
  const accounts = [...byAccount].sort(([a], [b]) => place(a) - place(b) || compare(a, b));
  yield 1;
  const balanceChange: BalanceChange['balanceChange'] = [];
  for (const [account, changes] of accounts) {
    const assets: AssetChange[] = [];
    for (const change of changes.sort(byAsset)) {
      assets.push(toAssetChange(change, facts));
      yield 1;
    }
    balanceChange.push({ account, assets });
  }
  return balanceChange;
}

function toAssetChange(net: NetChange, facts: AssetFacts): AssetChange {
  const { symbol, decimals, ...amounts } = assetAmount(net, facts);
  return {
    address: net.asset,
    ...amounts,
    sign: net.amount > 0n,
    isERC1155: net.standard === 'erc1155',
    isERC721: net.standard === 'erc721',
    ...(net.tokenId === undefined ? {} : { tokenId: net.tokenId.toString() }),
    ...(symbol === undefined ? {} : { symbol }),
    ...(decimals === undefined ? {} : { decimals }),
    ...(amounts.value === '' ? {} : priceFacts(facts.prices.get(net.asset))),
    ...verdictOf(net, facts.checked),
  };
}

function byAsset(a: NetChange, b: NetChange): number {
  const native = Number(b.asset === NATIVE_ASSET) - Number(a.asset === NATIVE_ASSET);
  return native || compare(a.asset, b.asset) || compare(a.tokenId ?? -1n, b.tokenId ?? -1n);
}

const compare = <T extends string | bigint>(a: T, b: T): number => (a < b ? -1 : a > b ? 1 : 0);
