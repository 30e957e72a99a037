import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { AssetName, ChangeUsd, ShortChange } from '../balances/balance-cells';
import { AddressName } from '../components/address';
import type { BalanceRow } from '../model/balance-model';
import type { KeyParty } from '../model/key-parties';
import { grouped } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';
import { partiesOf } from './card';
import { tagText } from './tag-text';

function ChangeCells({ row }: { row: BalanceRow }): VNode {
  return (
    <>
      <td class="right">
        <ShortChange row={row} />
      </td>
      <td>
        <AssetName row={row} />
      </td>
      <td class="right">
        <ChangeUsd row={row} />
      </td>
    </>
  );
}

function Party({ party }: { party: KeyParty }): VNode {
  const { account, tags, rows, more } = party;
  const [first, ...others] = rows;
  const head = (
    <th scope="row" rowSpan={Math.max(1, rows.length) + (more > 0 ? 1 : 0)}>
      <AddressName address={account} />{' '}
      <span class="party-tags quiet">{tags.map(tagText).join(', ')}</span>
    </th>
  );
  return (
    <tbody>
      <tr>
        {head}
        {first ? (
          <ChangeCells row={first} />
        ) : (
          <td class="quiet" colSpan={3}>
            {l10n.t('no change')}
          </td>
        )}
      </tr>
      {others.map((row, index) => (
        <tr key={index}>
          <ChangeCells row={row} />
        </tr>
      ))}
      {more > 0 && (
        <tr>
          <td class="quiet" colSpan={3}>
            {more === 1 ? l10n.t('1 more asset') : l10n.t('{0} more assets', grouped(String(more)))}
          </td>
        </tr>
      )}
    </tbody>
  );
}

/** Who gained and who lost: the sender, the receiver, and the accounts with the largest gain and loss. */
export function PartyTable(): VNode {
  const { state } = useInspector();
  const part = state.parts.balanceChange.value;
  const { names, nativeSymbol, flow } = state;
  const parties = useMemo(
    () => partiesOf(state),
    [state, part, names.value, nativeSymbol.value, flow.value],
  );
  if (part.state === 'failed') {
    return <p class="quiet">{l10n.t('The balance changes could not be loaded.')}</p>;
  }
  if (!parties) return <p class="quiet">{l10n.t('Reading balance changes…')}</p>;
  if (parties.length === 0) {
    return <p class="quiet">{l10n.t('No balance changed. Fees are not counted.')}</p>;
  }
  const shown = new Set(parties.map(({ account }) => account));
  const others =
    part.state === 'ready'
      ? part.value.balanceChange.filter(({ account }) => !shown.has(account)).length
      : 0;
  return (
    <>
      <table class="party-table">
        <caption class="hidden">{l10n.t('Balance changes of the parties that matter')}</caption>
        <thead class="hidden">
          <tr>
            <th scope="col">{l10n.t('Account')}</th>
            <th scope="col">{l10n.t('Change')}</th>
            <th scope="col">{l10n.t('Asset')}</th>
            <th scope="col">{l10n.t('USD')}</th>
          </tr>
        </thead>
        {parties.map((party) => (
          <Party key={party.account} party={party} />
        ))}
      </table>
      <button
        type="button"
        class="link"
        onClick={() => {
          state.tab.value = 'balances';
        }}
      >
        {others === 0
          ? l10n.t('All balance changes')
          : others === 1
            ? l10n.t('All balance changes, of 1 more account')
            : l10n.t('All balance changes, of {0} more accounts', grouped(String(others)))}
      </button>
    </>
  );
}
