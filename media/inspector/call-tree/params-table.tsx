import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { NestedCall, Param } from '../../../server/api/decoding';
import type { Reading } from '../../../server/api/readings';
import { Address } from '../components/address';
import { filled } from '../components/filled';
import { LongText } from '../components/long-text';
import { NativeAmount } from '../components/native-amount';
import { SOURCE_WORDS } from '../../../server/presentation/sources';
import { shownText } from '../../../server/presentation/text';
import { readingText } from '../../../server/presentation/values';
import { useInspector } from '../ui-state/inspector-context';
import { TrailingTable } from './trailing-table';

const NAME_LIMIT = 80;
/** Of an array with more amounts, the plain value shows the rest. */
const SHOWN_READINGS = 24;

const copyLabel = (name: string): string =>
  name ? l10n.t('Copy {0}', shownText(name, NAME_LIMIT)) : l10n.t('Copy value');
const quietWords = (words: string): VNode => <span class="quiet">{words}</span>;

/** Parameters with their types and full values. Calls inside a value unfold below it. */
export function ParamsTable({
  title,
  params,
  note,
}: {
  title: string;
  params: readonly Param[];
  /** Caveat about the parameters. */
  note?: string;
}): VNode | null {
  if (params.length === 0) return null;
  return (
    <table class="params">
      <caption>
        {title}
        {note !== undefined && <span class="quiet"> {note}</span>}
      </caption>
      <tbody>
        {params.map(({ name, type, value, nested, readings }, index) => (
          <tr key={index}>
            <th scope="row">
              <bdi class="parameter">{name ? shownText(name, NAME_LIMIT) : index}</bdi>
            </th>
            <td class="type">
              <bdi title={shownText(type, 400)}>{shownText(type, NAME_LIMIT)}</bdi>
            </td>
            <td>
              {readings && <Readings readings={readings} />}
              {type === 'address' ? (
                <Address address={value} whole />
              ) : (
                <LongText
                  text={value}
                  copyLabel={copyLabel(name)}
                  number={/^u?int\d*$/.test(type)}
                />
              )}
              {nested && nested.length > 0 && <NestedCalls calls={nested} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Amounts and times in a value, above the plain value. Those inside arrays and tuples have their place in front. */
function Readings({ readings }: { readings: readonly Reading[] }): VNode {
  const { state } = useInspector();
  const names = state.names.value;
  return (
    <ul class="readings">
      {readings.slice(0, SHOWN_READINGS).map((reading, index) => (
        <li key={index}>
          {reading.path !== '' && <span class="quiet">{shownText(reading.path, NAME_LIMIT)} </span>}
          <bdi>{readingText(reading, names)}</bdi>
        </li>
      ))}
      {readings.length > SHOWN_READINGS && <li class="quiet">…</li>}
    </ul>
  );
}

/** Calls inside a value. The content of a call is rendered only while it is open, so the depth of nesting does not matter. */
function NestedCalls({ calls }: { calls: readonly NestedCall[] }): VNode {
  return (
    <ul
      class="nested"
      aria-label={calls.length === 1 ? l10n.t('1 call') : l10n.t('{0} calls', calls.length)}
    >
      {calls.map((call, index) => (
        <li key={index}>
          <Nested call={call} />
        </li>
      ))}
    </ul>
  );
}

function Nested({ call }: { call: NestedCall }): VNode {
  const { path, to, value, name, signature, callParams, source, trailing = [] } = call;
  const [open, setOpen] = useState(false);
  const shown = name || shownText(signature, NAME_LIMIT) || l10n.t('not decoded');
  return (
    <details
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary>
        {path !== '' && <span class="quiet">{shownText(path, NAME_LIMIT)} </span>}
        <bdi class="method">{shownText(shown, NAME_LIMIT)}</bdi>
        {call.operation && <span class="quiet"> {call.operation}</span>}
        {call.mayFail && <span class="quiet"> {l10n.t('may fail')}</span>}
        {value !== '' && value !== '0' && (
          <span class="quiet">
            {' {'}
            <NativeAmount value={value} />
            {'}'}
          </span>
        )}
      </summary>
      {open && (
        <>
          {to !== '' && (
            <p>{filled(l10n.t('[to]({0}) {1}'), quietWords, <Address address={to} whole />)}</p>
          )}
          {signature !== '' && (
            <p>
              <LongText text={signature} copyLabel={l10n.t('Copy signature')} />
              {source && <span class="quiet"> {l10n.t('by {0}', SOURCE_WORDS[source])}</span>}
            </p>
          )}
          <ParamsTable title={l10n.t('Parameters')} params={callParams} />
          <TrailingTable parts={trailing} />
        </>
      )}
    </details>
  );
}
