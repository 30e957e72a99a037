import type { ComponentChildren, VNode } from 'preact';
import type { Event, Invocation, Param } from '../../../server/api/explorer';
import { Address } from '../components/address';
import { CopyButton } from '../components/copy-button';
import { IconButton } from '../components/icon-button';
import { LongText } from '../components/long-text';
import { Segments } from '../components/segments';
import { SourceLink } from '../components/source-link';
import { eventSegments, failureReason, methodName, reasonSegments } from '../grammar/lines';
import { grouped, shownText } from '../grammar/text';
import { useInspector } from '../inspector-context';
import type { FlowRow } from '../protocol';
import { rowText } from './call-row';

function Field({ name, children }: { name: string; children: ComponentChildren }): VNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

function Params({ title, params }: { title: string; params: readonly Param[] }): VNode | null {
  if (params.length === 0) return null;
  return (
    <table class="params">
      <caption>{title}</caption>
      <tbody>
        {params.map(({ name, type, value }, index) => (
          <tr key={index}>
            <th scope="row">
              <bdi>{name ? shownText(name, 80) : <span class="quiet">{index}</span>}</bdi>
            </th>
            <td class="type">
              <bdi title={type}>{shownText(type, 80)}</bdi>
            </td>
            <td>
              {type === 'address' ? (
                <Address address={value} whole />
              ) : (
                <LongText text={value} what={name || 'value'} number={/^u?int\d*$/.test(type)} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** What the places of a call in the source are called. */
const PLACES = { function: 'Function', callSite: 'Called at', failure: 'Failed at' } as const;

function SourceFields({ call }: { call: Invocation }): VNode {
  const location = useInspector().state.locations.value.get(call.id);
  return (
    <>
      {(['function', 'callSite', 'failure'] as const).map((kind) => {
        const place = location?.[kind];
        return (
          place && (
            <Field key={kind} name={PLACES[kind]}>
              <SourceLink place={place} />
            </Field>
          )
        );
      })}
    </>
  );
}

function CallDetails({ call }: { call: Invocation }): VNode {
  const { state } = useInspector();
  const symbol = state.nativeSymbol.value;
  const created = call.operation.startsWith('CREATE');
  const selector = call.selector.startsWith('0x') ? call.selector : '';
  const data = `0x${selector.slice(2)}${call.callData.replace(/^0x/, '')}`;
  const decoded = call.decodedMethod;
  return (
    <>
      <dl class="fields">
        {!call.status && (
          <Field name="Failed">
            <Segments segments={reasonSegments(failureReason(call), state.names.value)} />
            {call.errorInfo && call.errorInfo !== call.revertMessage && (
              <span class="quiet"> ({shownText(call.errorInfo, 200)})</span>
            )}
          </Field>
        )}
        {call.status && call.revert && (
          <Field name="Rolled back">This call succeeded, but a caller failed later.</Field>
        )}
        <SourceFields call={call} />
        <Field name="From">
          <Address address={call.fromAddress} whole />
        </Field>
        <Field name={created ? 'Created' : 'To'}>
          {call.address ? (
            <Address address={call.address} whole />
          ) : (
            <span class="quiet">unknown</span>
          )}
        </Field>
        <Field name="Value">
          {grouped(call.value || '0')} {shownText(symbol, 16)}
        </Field>
        <Field name="Gas used">{grouped(String(call.gasUsed))}</Field>
        {decoded ? (
          <Field name="Signature">
            <LongText text={decoded.signature} what="signature" />
          </Field>
        ) : (
          !created && <Field name="Signature">{`not known (${methodName(call)})`}</Field>
        )}
      </dl>
      {decoded && <Params title="Parameters" params={decoded.callParams} />}
      {decoded && <Params title="Returns" params={decoded.returnParams} />}
      <dl class="fields">
        {decoded?.constructorArguments && (
          <Field name="Constructor arguments">
            <LongText text={decoded.constructorArguments} what="constructor arguments" />
          </Field>
        )}
        <Field name={created ? 'Init code' : 'Call data'}>
          <LongText text={created ? call.callData : data} what="call data" />
        </Field>
        {call.output !== '' && call.output !== '0x' && (
          <Field name={created && call.status ? 'Deployed code' : 'Output'}>
            <LongText text={call.output} what="output" />
          </Field>
        )}
      </dl>
    </>
  );
}

function EventDetails({ event }: { event: Event }): VNode {
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
      </dl>
      <Params title="Parameters" params={event.decodedLog.params} />
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

function titleOf(row: FlowRow, names: Parameters<typeof eventSegments>[1]): string {
  if (row.nodeType === 0) return `${row.invocation.operation} ${methodName(row.invocation)}`;
  return `EVENT ${row.event.decodedLog.name || (eventSegments(row.event, names)[2]?.text ?? '')}`;
}

/** Everything about one row, whole: nothing is folded for good, all of it can be copied. */
export function RowDetails({ row }: { row: FlowRow }): VNode {
  const { state } = useInspector();
  return (
    <aside class="details" aria-label="Details of the selected row">
      <div class="details-head">
        <h2>
          <bdi>{shownText(titleOf(row, state.names.value), 80)}</bdi>
        </h2>
        <CopyButton text={rowText(row, state.names.value)} what="row as text" />
        <CopyButton
          icon="json"
          text={JSON.stringify(row.nodeType === 0 ? row.invocation : row.event, null, 2)}
          what="row as JSON"
        />
        <IconButton
          icon="close"
          label="Close details (Escape)"
          onClick={() => {
            state.calls.details.value = false;
          }}
        />
      </div>
      <div class="details-body" tabIndex={0} role="region" aria-label="All fields">
        {row.nodeType === 0 ? (
          <CallDetails call={row.invocation} />
        ) : (
          <EventDetails event={row.event} />
        )}
      </div>
    </aside>
  );
}
