import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { AssetName, ChangeUsd, ShortChange } from '../balances/balance-cells';
import { AddressName } from '../components/address';
import type { BalanceRow } from '../model/balance-model';
import type { PartyRows } from '../model/party-rows';
import { grouped } from '../../../server/presentation/text';
import type { Flow } from '../protocol/protocol';
import { useInspector } from '../ui-state/inspector-context';
import { partiesOf } from './card';

/** @param hasUsd whether a price is known of any row; without one, there is no column */
function ChangeCells({ row, hasUsd }: { row: BalanceRow; hasUsd: boolean }): VNode {
  return (
    <>
      <td class="right">
        <ShortChange row={row} />
      </td>
      <td>
        <AssetName row={row} />
      </td>
      {hasUsd && (
        <td class="right">
          <ChangeUsd row={row} />
        </td>
      )}
    </>
  );
}

function Party({ party, hasUsd }: { party: PartyRows; hasUsd: boolean }): VNode {
  const { account, roles, rows, more } = party;
  const [first, ...others] = rows;
  const span = hasUsd ? 3 : 2;
  return (
    <tbody>
      <tr>
        <th scope="row" rowSpan={Math.max(1, rows.length) + (more > 0 ? 1 : 0)}>
          <AddressName address={account} /> <span class="party-tags quiet">{roles}</span>
        </th>
        {first ? (
          <ChangeCells row={first} hasUsd={hasUsd} />
        ) : (
          <td class="quiet" colSpan={span}>
            {l10n.t('no change')}
          </td>
        )}
      </tr>
      {others.map((row, index) => (
        <tr key={index}>
          <ChangeCells row={row} hasUsd={hasUsd} />
        </tr>
      ))}
      {more > 0 && (
        <tr>
          <td class="quiet" colSpan={span}>
            {more === 1 ? l10n.t('1 more asset') : l10n.t('{0} more assets', grouped(String(more)))}
          </td>
        </tr>
      )}
    </tbody>
  );
}

function AllChanges({ others }: { others: number }): VNode {
  const { state } = useInspector();
  return (
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
  );
}

/** In place of the table where the service names no parties. */
function NoParties(): VNode {
  const { state } = useInspector();
  const part = state.parts.balanceChange.value;
  if (part.state === 'failed') {
    return <p class="quiet">{l10n.t('The balance changes could not be loaded.')}</p>;
  }
  if (part.state !== 'ready') return <p class="quiet">{l10n.t('Reading balance changes…')}</p>;
  return part.value.balanceChange.length === 0 ? (
    <p class="quiet">{l10n.t('No balance changed. Fees are not counted.')}</p>
  ) : (
    <AllChanges others={0} />
  );
}

/** Who gained and who lost: the sender, the receiver, and the accounts with the largest gains and losses. */
export function PartyTable({ flow }: { flow: Flow }): VNode {
  const { state } = useInspector();
  const part = state.parts.balanceChange.value;
  const { names, nativeSymbol } = state;
  const parties = useMemo(
    () => partiesOf(flow, state),
    [state, names.value, nativeSymbol.value, flow],
  );
  if (parties.length === 0) return <NoParties />;
  const hasUsd = parties.some(({ rows }) => rows.some(({ value }) => value !== ''));
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
            {hasUsd && <th scope="col">{l10n.t('USD')}</th>}
          </tr>
        </thead>
        {parties.map((party) => (
          <Party key={party.account} party={party} hasUsd={hasUsd} />
        ))}
      </table>
      <AllChanges others={others} />
    </>
  );
}
