import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { Address } from '../components/address';
import { Field } from '../components/field';
import { Hash } from '../components/hash';
import { IconButton } from '../components/icon-button';
import { Fee } from '../components/fee';
import { NativeAmount } from '../components/native-amount';
import { grouped, utcTime } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';
import type { ExplorerPage, Flow } from '../protocol/protocol';

/** Describes a transaction type of EIP-2718. */
function typeText(type: number): string {
  switch (type) {
    case 0:
      return l10n.t('legacy');
    case 1:
      return l10n.t('with access list (EIP-2930)');
    case 2:
      return l10n.t('with dynamic fee (EIP-1559)');
    case 3:
      return l10n.t('with blobs (EIP-4844)');
    case 4:
      return l10n.t('sets code of accounts (EIP-7702)');
    default:
      return l10n.t("of the rollup's own");
  }
}

function explorerText(kind: ExplorerPage['kind']): string {
  switch (kind) {
    case 'transaction':
      return l10n.t('Open the transaction in the block explorer');
    case 'address':
      return l10n.t('Open the address in the block explorer');
    case 'block':
      return l10n.t('Open the block in the block explorer');
  }
}

/** Opens a page of the block explorer, if the chain has one. */
function ExplorerLink({ page }: { page: ExplorerPage }): VNode | null {
  const { state, post } = useInspector();
  if (!state.hostContext.value.hasExplorer) return null;
  return (
    <IconButton
      icon="link-external"
      label={explorerText(page.kind)}
      onClick={() => {
        post({ type: 'openExplorer', page });
      }}
    />
  );
}

/** Facts that every transaction has. */
export function Facts({ flow }: { flow: Flow }): VNode {
  const { transaction } = flow;
  const { hash, from, to, value, blockNumber, position, timestamp } = transaction;
  const { gasUsed, type, nonce, chainId } = transaction;
  return (
    <dl class="fields">
      <Field name={l10n.t('From')}>
        <Address address={from} whole />
        <ExplorerLink page={{ kind: 'address', id: from }} />
      </Field>
      <Field name={l10n.t('To')}>
        {to === null ? (
          <span class="quiet">{l10n.t('new contract')}</span>
        ) : (
          <>
            <Address address={to} whole />
            <ExplorerLink page={{ kind: 'address', id: to }} />
          </>
        )}
      </Field>
      <Field name={l10n.t('Value')}>
        <NativeAmount value={value} />
      </Field>
      <Field name={l10n.t('Fee')}>
        <Fee transaction={transaction} />
      </Field>
      <Field name={l10n.t('Gas used')}>{grouped(String(gasUsed))}</Field>
      <Field name={l10n.t('Block')}>
        <span class="number">{grouped(String(blockNumber))}</span>
        <ExplorerLink page={{ kind: 'block', id: String(blockNumber) }} />
      </Field>
      <Field name={l10n.t('Position')}>{grouped(String(position))}</Field>
      <Field name={l10n.t('Time')}>{utcTime(timestamp)}</Field>
      <Field name={l10n.t('Type')}>
        {type} <span class="quiet">{typeText(type)}</span>
      </Field>
      <Field name={l10n.t('Nonce')}>{grouped(String(nonce))}</Field>
      <Field name={l10n.t('Chain id')}>{String(chainId)}</Field>
      {hash !== '' && (
        <Field name={l10n.t('Hash')}>
          <Hash hex={hash} copyLabel={l10n.t('Copy hash')} whole />
          <ExplorerLink page={{ kind: 'transaction', id: hash }} />
        </Field>
      )}
    </dl>
  );
}
