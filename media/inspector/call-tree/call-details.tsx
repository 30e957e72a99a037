import type { VNode } from 'preact';
import type { Invocation } from '../../../server/api/explorer';
import { Address } from '../components/address';
import { Field } from '../components/field';
import { LongText } from '../components/long-text';
import { Segments } from '../components/segments';
import { SourceLink } from '../components/source-link';
import { wholeCallData } from '../copy/call-data';
import { failureReason, methodName, reasonSegments } from '../grammar/lines';
import { SOURCE_WORDS } from '../grammar/sources';
import { grouped, shownText } from '../grammar/text';
import { useInspector } from '../inspector-context';
import { DecodeChoice } from './decode-choice';
import { ParamsTable } from './params-table';

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

/** Who called whom with what, as far as it is known; nothing is folded for good. @param index of the row */
export function CallDetails({ call, index }: { call: Invocation; index: number }): VNode {
  const { state } = useInspector();
  const symbol = state.nativeSymbol.value;
  const created = call.operation.startsWith('CREATE');
  const decoded = call.decodedMethod;
  // Of the row as the service decoded it: a choice of the reader has no alternatives of its own.
  const original = state.calls.tree.value.rows[index];
  const given = original?.nodeType === 0 ? original.invocation.decodedMethod : null;
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
        {decoded?.source && <Field name="Known by">{SOURCE_WORDS[decoded.source]}</Field>}
        {given?.alternatives && given.alternatives.length > 0 && (
          <Field name="Read as">
            <DecodeChoice index={index} decoded={given} />
          </Field>
        )}
      </dl>
      {decoded && <ParamsTable title="Parameters" params={decoded.callParams} />}
      {!decoded && call.guessedParams && (
        <ParamsTable
          title="Parameters"
          params={call.guessedParams}
          note="guessed: by the types that the bytecode shows"
        />
      )}
      {decoded && <ParamsTable title="Returns" params={decoded.returnParams} />}
      <dl class="fields">
        {decoded?.constructorArguments && (
          <Field name="Constructor arguments">
            <LongText text={decoded.constructorArguments} what="constructor arguments" />
          </Field>
        )}
        <Field name={created ? 'Init code' : 'Call data'}>
          <LongText text={wholeCallData(call)} what="call data" />
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
