import type { VNode } from 'preact';
import type { TransactionKind } from '../../../server/api/transaction-kind';
import { Address } from '../components/address';
import { Field } from '../components/field';
import { Hash } from '../components/hash';
import { LongText } from '../components/long-text';
import { grouped, plural, shownText } from '../grammar/text';
import type { Flow } from '../protocol';

const NAME_LIMIT = 60;
/** Entries of a list that are shown. */
const LIST_LIMIT = 50;

function Rest({ count }: { count: number }): VNode | null {
  return count > LIST_LIMIT ? (
    <li class="quiet">{grouped(String(count - LIST_LIMIT))} more</li>
  ) : null;
}

function Blobs({ blobs }: { blobs: NonNullable<TransactionKind['blobs']> }): VNode {
  const { versionedHashes, maxFeePerGas, gasUsed, gasPrice } = blobs;
  return (
    <>
      <h2>{plural(versionedHashes.length, 'blob')}</h2>
      <dl class="fields">
        <Field name="Blob gas">
          {gasUsed === null ? <span class="quiet">unknown</span> : grouped(String(gasUsed))}
        </Field>
        <Field name="Price">
          {gasPrice === '' ? <span class="quiet">unknown</span> : `${grouped(gasPrice)} wei`}{' '}
          <span class="quiet">of at most {grouped(maxFeePerGas)} wei</span>
        </Field>
      </dl>
      <ul class="list">
        {versionedHashes.map((hash) => (
          <li key={hash}>
            <Hash hex={hash} what="versioned hash" />
          </li>
        ))}
      </ul>
    </>
  );
}

function Authorizations({ all }: { all: NonNullable<TransactionKind['authorizations']> }): VNode {
  return (
    <>
      <h2>{plural(all.length, 'authorization')}</h2>
      <ul class="list">
        {all.slice(0, LIST_LIMIT).map(({ authority, address, chainId, nonce }, index) => (
          <li key={index}>
            {authority === '' ? (
              <span class="quiet">nobody (invalid signature)</span>
            ) : (
              <Address address={authority} />
            )}{' '}
            takes on the code of <Address address={address} />{' '}
            <span class="quiet">
              {chainId === '0' ? 'on every chain' : `on chain ${chainId}`}, nonce {nonce}
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
      <h2>Access list</h2>
      <ul class="list">
        {list.slice(0, LIST_LIMIT).map(({ address, storageKeys }, index) => (
          <li key={index}>
            <Address address={address} />{' '}
            <span class="quiet">{plural(storageKeys.length, 'slot')}</span>
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
      <h2>Of the rollup</h2>
      <dl class="fields">
        {Object.entries(extra).map(([name, value]) => (
          <Field key={name} name={shownText(name, NAME_LIMIT)}>
            <LongText
              text={typeof value === 'string' ? value : JSON.stringify(value)}
              what={shownText(name, NAME_LIMIT)}
            />
          </Field>
        ))}
      </dl>
    </>
  );
}

/** What only some kinds of transactions have. */
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
