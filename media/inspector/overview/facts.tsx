import type { VNode } from 'preact';
import { Address } from '../components/address';
import { Field } from '../components/field';
import { Hash } from '../components/hash';
import { IconButton } from '../components/icon-button';
import { NativeAmount } from '../components/native-amount';
import { grouped, utcTime } from '../grammar/text';
import { useInspector } from '../inspector-context';
import type { ExplorerPage, Flow } from '../protocol';

/** EIP-2718 types by number. */
const TYPES: Partial<Record<number, string>> = {
  0: 'legacy',
  1: 'with access list (EIP-2930)',
  2: 'with dynamic fee (EIP-1559)',
  3: 'with blobs (EIP-4844)',
  4: 'sets code of accounts (EIP-7702)',
};

/** Opens a page of the block explorer, where the chain has one. */
function ExplorerLink({ page }: { page: ExplorerPage }): VNode | null {
  const { state, post } = useInspector();
  if (!state.surroundings.value.hasExplorer) return null;
  return (
    <IconButton
      icon="link-external"
      label={`Open the ${page.kind} in the block explorer`}
      onClick={() => {
        post({ type: 'openExplorer', page });
      }}
    />
  );
}

/** Facts that every transaction has. */
export function Facts({ flow }: { flow: Flow }): VNode {
  const { transaction } = flow;
  const { hash, from, to, value, fee, blockNumber, position, timestamp } = transaction;
  const { gasUsed, type, nonce, chainId } = transaction;
  return (
    <dl class="fields">
      <Field name="From">
        <Address address={from} />
        <ExplorerLink page={{ kind: 'address', id: from }} />
      </Field>
      <Field name="To">
        {to === null ? (
          <span class="quiet">new contract</span>
        ) : (
          <>
            <Address address={to} />
            <ExplorerLink page={{ kind: 'address', id: to }} />
          </>
        )}
      </Field>
      <Field name="Value">
        <NativeAmount value={value} />
      </Field>
      <Field name="Fee">
        <NativeAmount value={fee} />
      </Field>
      <Field name="Gas used">{grouped(String(gasUsed))}</Field>
      <Field name="Block">
        <span class="number">{grouped(String(blockNumber))}</span>
        <ExplorerLink page={{ kind: 'block', id: String(blockNumber) }} />
      </Field>
      <Field name="Position">{grouped(String(position))}</Field>
      <Field name="Time">{utcTime(timestamp)}</Field>
      <Field name="Type">
        {type} <span class="quiet">{TYPES[type] ?? "of the rollup's own"}</span>
      </Field>
      <Field name="Nonce">{grouped(String(nonce))}</Field>
      <Field name="Chain id">{String(chainId)}</Field>
      {hash !== '' && (
        <Field name="Hash">
          <Hash hex={hash} what="hash" />
          <ExplorerLink page={{ kind: 'transaction', id: hash }} />
        </Field>
      )}
    </dl>
  );
}
