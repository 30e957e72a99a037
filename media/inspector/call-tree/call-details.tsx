import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import type { Invocation } from '../../../server/api/explorer';
import { Address } from '../components/address';
import { Field } from '../components/field';
import { LongText } from '../components/long-text';
import { NativeAmount } from '../components/native-amount';
import { Segments } from '../components/segments';
import { SourceLink } from '../components/source-link';
import { Unknown } from '../components/unknown';
import { wholeCallData } from '../copy/call-data';
import { failureReason, methodName, reasonSegments } from '../../../server/presentation/lines';
import { ORIGIN_WORDS, SOURCE_WORDS } from '../../../server/presentation/sources';
import { grouped, shownText } from '../../../server/presentation/text';
import { INTERNAL } from '../model/internal-rows';
import { useInspector } from '../ui-state/inspector-context';
import { DecodeChoice } from './decode-choice';
import { ParamsTable } from './params-table';
import { TrailingTable } from './trailing-table';

function SourceFields({ call }: { call: Invocation }): VNode {
  const location = useInspector().state.locations.value.get(call.id);
  const places = [
    { name: l10n.t('Function'), place: location?.function },
    { name: l10n.t('Called at'), place: location?.callSite },
    { name: l10n.t('Failed at'), place: location?.failure },
  ];
  return (
    <>
      {places.map(
        ({ name, place }) =>
          place && (
            <Field key={name} name={name}>
              <SourceLink place={place} />
            </Field>
          ),
      )}
    </>
  );
}

/** Whether the source of the executed code is known, and where it opens; else what to do. */
function CodeField({ call }: { call: Invocation }): VNode | null {
  const { state } = useInspector();
  const code = state.codes.value.get(call.id);
  if (code === undefined) return null;
  if (!('from' in code)) return <Field name={l10n.t('Source')}>{code.reason}</Field>;
  const { declaration, from, reason } = code;
  return (
    <Field name={l10n.t('Source')}>
      {declaration ? (
        <SourceLink place={declaration} />
      ) : (
        l10n.t('known, but its files are no longer what was compiled')
      )}
      <span class="quiet"> ({ORIGIN_WORDS[from]})</span>
      {reason !== undefined && <div>{reason}</div>}
    </Field>
  );
}

/** All known fields of a call. Long values can be unfolded. @param index index of the row */
export function CallDetails({ call, index }: { call: Invocation; index: number }): VNode {
  if (call.operation === INTERNAL) return <InternalDetails call={call} />;
  return <ExternalDetails call={call} index={index} />;
}

/** A call of a function inside a contract has a signature and arguments; the trace says nothing else of it. */
function InternalDetails({ call }: { call: Invocation }): VNode {
  const decoded = call.decodedMethod;
  return (
    <>
      <dl class="fields">
        <SourceFields call={call} />
        <Field name={l10n.t('Storage of')}>
          <Address address={call.address} whole />
        </Field>
        {decoded && (
          <Field name={l10n.t('Signature')}>
            <LongText text={decoded.signature} copyLabel={l10n.t('Copy signature')} />
          </Field>
        )}
      </dl>
      {decoded && <ParamsTable title={l10n.t('Parameters')} params={decoded.callParams} />}
    </>
  );
}

function ExternalDetails({ call, index }: { call: Invocation; index: number }): VNode {
  const created = call.operation.startsWith('CREATE');
  const decoded = call.decodedMethod;
  return (
    <>
      <dl class="fields">
        <OutcomeFields call={call} />
        <CodeField call={call} />
        <SourceFields call={call} />
        <Field name={l10n.t('From')}>
          <Address address={call.fromAddress} whole />
        </Field>
        <Field name={created ? l10n.t('Created') : l10n.t('To')}>
          {call.address ? <Address address={call.address} whole /> : <Unknown />}
        </Field>
        <Field name={l10n.t('Value')}>
          <NativeAmount value={call.value || '0'} />
        </Field>
        <Field name={l10n.t('Gas used')}>{grouped(String(call.gasUsed))}</Field>
        <SignatureFields call={call} index={index} />
      </dl>
      {decoded && <ParamsTable title={l10n.t('Parameters')} params={decoded.callParams} />}
      {!decoded && call.guessedParams && (
        <ParamsTable
          title={l10n.t('Parameters')}
          params={call.guessedParams}
          note={l10n.t('guessed: by the types that the bytecode shows')}
        />
      )}
      {decoded?.trailing && <TrailingTable parts={decoded.trailing} />}
      {call.message !== undefined && (
        <dl class="fields">
          <Field name={l10n.t('Message')}>
            <LongText text={call.message} copyLabel={l10n.t('Copy message')} />
          </Field>
        </dl>
      )}
      {decoded && <ParamsTable title={l10n.t('Returns')} params={decoded.returnParams} />}
      <DataFields call={call} />
    </>
  );
}

/** How a call failed, or that it was rolled back. */
function OutcomeFields({ call }: { call: Invocation }): VNode {
  const { state } = useInspector();
  return (
    <>
      {!call.status && (
        <Field name={l10n.t('Failed')}>
          <Segments segments={reasonSegments(failureReason(call), state.names.value)} />
          {call.errorInfo && call.errorInfo !== call.revertMessage && (
            <span class="quiet"> ({shownText(call.errorInfo, 200)})</span>
          )}
        </Field>
      )}
      {call.status && call.revert && (
        <Field name={l10n.t('Rolled back')}>
          {l10n.t('This call succeeded, but a caller failed later.')}
        </Field>
      )}
    </>
  );
}

/** The signature, how it is known, and which others fit. */
function SignatureFields({ call, index }: { call: Invocation; index: number }): VNode {
  const { state } = useInspector();
  const decoded = call.decodedMethod;
  const created = call.operation.startsWith('CREATE');
  // The row as the service decoded it, because a decoding that the user chose has no alternatives.
  const original = state.calls.tree.value.rows[index];
  const given = original?.nodeType === 0 ? original.invocation.decodedMethod : null;
  return (
    <>
      {decoded ? (
        <Field name={l10n.t('Signature')}>
          <LongText text={decoded.signature} copyLabel={l10n.t('Copy signature')} />
        </Field>
      ) : (
        !created && (
          <Field name={l10n.t('Signature')}>{l10n.t('not known ({0})', methodName(call))}</Field>
        )
      )}
      {decoded?.source && <Field name={l10n.t('Known by')}>{SOURCE_WORDS[decoded.source]}</Field>}
      {given?.alternatives && given.alternatives.length > 0 && (
        <Field name={l10n.t('Read as')}>
          <DecodeChoice index={index} decoded={given} />
        </Field>
      )}
    </>
  );
}

/** The data of a call as they are. */
function DataFields({ call }: { call: Invocation }): VNode {
  const created = call.operation.startsWith('CREATE');
  const { constructorArguments } = call.decodedMethod ?? {};
  return (
    <dl class="fields">
      {constructorArguments && (
        <Field name={l10n.t('Constructor arguments')}>
          <LongText text={constructorArguments} copyLabel={l10n.t('Copy constructor arguments')} />
        </Field>
      )}
      <Field name={created ? l10n.t('Init code') : l10n.t('Call data')}>
        <LongText text={wholeCallData(call)} copyLabel={l10n.t('Copy call data')} />
      </Field>
      {call.output !== '' && call.output !== '0x' && (
        <Field name={created && call.status ? l10n.t('Deployed code') : l10n.t('Output')}>
          <LongText text={call.output} copyLabel={l10n.t('Copy output')} />
        </Field>
      )}
    </dl>
  );
}
