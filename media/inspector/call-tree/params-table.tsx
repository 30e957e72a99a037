import type { VNode } from 'preact';
import { useState } from 'preact/hooks';
import type { NestedCall, Param } from '../../../server/api/decoding';
import { Address } from '../components/address';
import { LongText } from '../components/long-text';
import { SOURCE_WORDS } from '../grammar/sources';
import { plural, shownText } from '../grammar/text';

const NAME_LIMIT = 80;

/** Parameters with their types and whole values; what calls a value holds unfolds below it. */
export function ParamsTable({
  title,
  params,
  note,
}: {
  title: string;
  params: readonly Param[];
  /** Why they are to be taken with care. */
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
        {params.map(({ name, type, value, nested }, index) => (
          <tr key={index}>
            <th scope="row">
              <bdi>{name ? shownText(name, NAME_LIMIT) : <span class="quiet">{index}</span>}</bdi>
            </th>
            <td class="type">
              <bdi title={shownText(type, 400)}>{shownText(type, NAME_LIMIT)}</bdi>
            </td>
            <td>
              {type === 'address' ? (
                <Address address={value} whole />
              ) : (
                <LongText text={value} what={name || 'value'} number={/^u?int\d*$/.test(type)} />
              )}
              {nested && nested.length > 0 && <NestedCalls calls={nested} />}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Calls inside a value, each of which unfolds: only what is open is there, however deep they are nested. */
function NestedCalls({ calls }: { calls: readonly NestedCall[] }): VNode {
  return (
    <ul class="nested" aria-label={plural(calls.length, 'call')}>
      {calls.map((call, index) => (
        <li key={index}>
          <Nested call={call} />
        </li>
      ))}
    </ul>
  );
}

function Nested({ call }: { call: NestedCall }): VNode {
  const { path, to, value, name, signature, callParams, source } = call;
  const [open, setOpen] = useState(false);
  const shown = name || shownText(signature, NAME_LIMIT) || 'not decoded';
  return (
    <details
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary>
        {path !== '' && <span class="quiet">{shownText(path, NAME_LIMIT)} </span>}
        <bdi class="method">{shownText(shown, NAME_LIMIT)}</bdi>
        {value !== '' && value !== '0' && (
          <span class="quiet"> {`{${shownText(value, NAME_LIMIT)}}`}</span>
        )}
      </summary>
      {open && (
        <>
          {to !== '' && (
            <p>
              <span class="quiet">to </span>
              <Address address={to} whole />
            </p>
          )}
          {signature !== '' && (
            <p>
              <LongText text={signature} what="signature" />
              {source && <span class="quiet"> by {SOURCE_WORDS[source]}</span>}
            </p>
          )}
          <ParamsTable title="Parameters" params={callParams} />
        </>
      )}
    </details>
  );
}
