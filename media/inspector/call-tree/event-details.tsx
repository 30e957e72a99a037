import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { Event } from '../../../server/api/explorer';
import { Address } from '../components/address';
import { Field } from '../components/field';
import { LongText } from '../components/long-text';
import { SOURCE_WORDS } from '../../../server/presentation/sources';
import { ParamsTable } from './params-table';

/** The decoded fields and the raw log of an event. */
export function EventDetails({ event }: { event: Event }): VNode {
  return (
    <>
      <dl class="fields">
        {event.revert && (
          <Field name={l10n.t('Rolled back')}>
            {l10n.t('The frame or a caller failed: the chain has no such log.')}
          </Field>
        )}
        <Field name={l10n.t('Contract')}>
          <Address address={event.contract} whole />
        </Field>
        <Field name={l10n.t('Signature')}>
          {event.logDecoded ? (
            <LongText text={event.decodedLog.signature} copyLabel={l10n.t('Copy signature')} />
          ) : (
            l10n.t('not known')
          )}
        </Field>
        {event.decodedLog.source && (
          <Field name={l10n.t('Known by')}>{SOURCE_WORDS[event.decodedLog.source]}</Field>
        )}
      </dl>
      <ParamsTable title={l10n.t('Parameters')} params={event.decodedLog.params} />
      <dl class="fields">
        {event.topics.map((topic, index) => (
          <Field key={index} name={l10n.t('Topic {0}', index)}>
            <LongText text={topic} copyLabel={l10n.t('Copy topic')} />
          </Field>
        ))}
        {event.logData !== '' && event.logData !== '0x' && (
          <Field name={l10n.t('Data')}>
            <LongText text={event.logData} copyLabel={l10n.t('Copy data')} />
          </Field>
        )}
      </dl>
    </>
  );
}
