import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { TransactionKind } from '../../../server/api/transaction-kind';
import { Address } from '../components/address';
import { Field } from '../components/field';
import { filled } from '../components/filled';
import { Hash } from '../components/hash';
import { LongText } from '../components/long-text';
import { Unknown } from '../components/unknown';
import { grouped, shownText } from '../../../server/presentation/text';
import type { Flow } from '../protocol/protocol';

const NAME_LIMIT = 60;
/** Number of a list's entries that are shown. */
const LIST_LIMIT = 50;

function Rest({ count }: { count: number }): VNode | null {
  return count > LIST_LIMIT ? (
    <li class="quiet">{l10n.t('{0} more', grouped(String(count - LIST_LIMIT)))}</li>
  ) : null;
}

function Blobs({ blobs }: { blobs: NonNullable<TransactionKind['blobs']> }): VNode {
  const { versionedHashes, maxFeePerGas, gasUsed, gasPrice } = blobs;
  return (
    <>
      <h2>
        {versionedHashes.length === 1
          ? l10n.t('1 blob')
          : l10n.t('{0} blobs', versionedHashes.length)}
      </h2>
      <dl class="fields">
        <Field name={l10n.t('Blob gas')}>
          {gasUsed === null ? <Unknown /> : grouped(String(gasUsed))}
        </Field>
        <Field name={l10n.t('Price')}>
          {gasPrice === '' ? <Unknown /> : `${grouped(gasPrice)} wei`}{' '}
          <span class="quiet">{l10n.t('of at most {0} wei', grouped(maxFeePerGas))}</span>
        </Field>
      </dl>
      <ul class="list">
        {versionedHashes.map((hash) => (
          <li key={hash}>
            <Hash hex={hash} copyLabel={l10n.t('Copy versioned hash')} />
          </li>
        ))}
      </ul>
    </>
  );
}

function Authorizations({ all }: { all: NonNullable<TransactionKind['authorizations']> }): VNode {
  return (
    <>
      <h2>
        {all.length === 1
          ? l10n.t('1 authorization')
          : l10n.t('{0} authorizations', grouped(String(all.length)))}
      </h2>
      <ul class="list">
        {all.slice(0, LIST_LIMIT).map(({ authority, address, chainId, nonce }, index) => (
          <li key={index}>
            {filled(
              l10n.t('{0} takes on the code of {1}'),
              authority === '' ? (
                <span class="quiet">{l10n.t('nobody (invalid signature)')}</span>
              ) : (
                <Address address={authority} />
              ),
              <Address address={address} />,
            )}{' '}
            <span class="quiet">
              {chainId === '0'
                ? l10n.t('on every chain, nonce {0}', nonce)
                : l10n.t('on chain {0}, nonce {1}', chainId, nonce)}
            </span>
          </li>
        ))}
        <Rest count={all.length} />
      </ul>
    </>
  );
}

function AccessList({ list }: { list: NonNullable<TransactionKind['accessList']> }): VNode {
  return (
    <>
      <h2>{l10n.t('Access list')}</h2>
      <ul class="list">
        {list.slice(0, LIST_LIMIT).map(({ address, storageKeys }, index) => (
          <li key={index}>
            <Address address={address} />{' '}
            <span class="quiet">
              {storageKeys.length === 1
                ? l10n.t('1 slot')
                : l10n.t('{0} slots', grouped(String(storageKeys.length)))}
            </span>
          </li>
        ))}
        <Rest count={list.length} />
      </ul>
    </>
  );
}

function Extra({ extra }: { extra: NonNullable<TransactionKind['extra']> }): VNode {
  return (
    <>
      <h2>{l10n.t('Of the rollup')}</h2>
      <dl class="fields">
        {Object.entries(extra).map(([name, value]) => (
          <Field key={name} name={shownText(name, NAME_LIMIT)}>
            <LongText
              text={typeof value === 'string' ? value : JSON.stringify(value)}
              copyLabel={l10n.t('Copy {0}', shownText(name, NAME_LIMIT))}
            />
          </Field>
        ))}
      </dl>
    </>
  );
}

/** Facts that only some kinds of transactions have. */
export function KindFacts({ transaction }: Pick<Flow, 'transaction'>): VNode {
  const { blobs, authorizations, accessList, extra } = transaction;
  return (
    <>
      {blobs && <Blobs blobs={blobs} />}
      {authorizations && <Authorizations all={authorizations} />}
      {accessList && accessList.length > 0 && <AccessList list={accessList} />}
      {extra && <Extra extra={extra} />}
    </>
  );
}
