import type { VNode } from 'preact';
import type { Event } from '../../../server/api/explorer';
import { Address } from '../components/address';
import { Field } from '../components/field';
import { LongText } from '../components/long-text';
import { SOURCE_WORDS } from '../grammar/sources';
import { ParamsTable } from './params-table';

/** What an event says, decoded and as it stands in the log. */
export function EventDetails({ event }: { event: Event }): VNode {
  return (
    <>
      <dl class="fields">
        {event.revert && (
          <Field name="Rolled back">The frame or a caller failed: the chain has no such log.</Field>
        )}
        <Field name="Contract">
          <Address address={event.contract} whole />
        </Field>
        <Field name="Signature">
          {event.logDecoded ? (
            <LongText text={event.decodedLog.signature} what="signature" />
          ) : (
            'not known'
          )}
        </Field>
        {event.decodedLog.source && (
          <Field name="Known by">{SOURCE_WORDS[event.decodedLog.source]}</Field>
        )}
      </dl>
      <ParamsTable title="Parameters" params={event.decodedLog.params} />
      <dl class="fields">
        {event.topics.map((topic, index) => (
          <Field key={index} name={`Topic ${index}`}>
            <LongText text={topic} what="topic" />
          </Field>
        ))}
        {event.logData !== '' && event.logData !== '0x' && (
          <Field name="Data">
            <LongText text={event.logData} what="data" />
          </Field>
        )}
      </dl>
    </>
  );
}
