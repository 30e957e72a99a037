import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { LongText } from '../components/long-text';
import { wholeCallData } from '../copy/call-data';
import { rowAsText } from '../copy/row-copies';
import { failureReason } from '../../../server/presentation/lines';
import { grouped, shownText } from '../../../server/presentation/text';
import type { Param } from '../../../server/api/explorer';
import type { FlowRow } from '../protocol/protocol';
import type { InspectorState } from '../ui-state/state';
import { differenceText } from './compare-calls';
import type { CompareState } from './compare-state';

const SYMBOL_LIMIT = 16;
const NAME_LIMIT = 60;

/** Each decoded argument or result as a field of its own, whole. */
function paramFacts(params: readonly Param[], nameOf: (name: string) => string): Facts {
  return Object.fromEntries(
    params.map(({ name, value, readings }, index) => {
      const whole = readings?.find(({ path }) => path === '');
      const inUnits =
        whole?.amount === undefined
          ? ''
          : ` (${grouped(whole.amount)} ${shownText(whole.symbol ?? '', SYMBOL_LIMIT)})`;
      return [nameOf(name === '' ? `#${index + 1}` : shownText(name, NAME_LIMIT)), value + inUnits];
    }),
  );
}

type Facts = Record<string, string>;

/** The compared fields of a row, as text. */
function factsOf(row: FlowRow | undefined, side: InspectorState): Facts {
  if (!row) return {};
  const line = rowAsText(row, side.names.value);
  if (row.nodeType === 1) {
    const { topics, logData, revert, decodedLog } = row.event;
    return {
      ...paramFacts(decodedLog.params, argumentName),
      [l10n.t('Event')]: line,
      [l10n.t('Topics')]: topics.join(' '),
      [l10n.t('Data')]: logData,
      [l10n.t('Rolled back')]: yes(revert),
    };
  }
  const call = row.invocation;
  const { callParams = [], returnParams = [] } = call.decodedMethod ?? {};
  return {
    ...paramFacts(callParams, argumentName),
    ...paramFacts(returnParams, (name) => l10n.t('Result {0}', name)),
    [l10n.t('Call')]: line,
    [l10n.t('From')]: call.fromAddress,
    [l10n.t('To')]: call.address,
    [l10n.t('Value')]: valueText(call.value, side.nativeSymbol.value),
    [l10n.t('Call data')]: wholeCallData(call),
    [l10n.t('Gas')]: grouped(String(call.gasUsed)),
    [l10n.t('Outcome')]: call.status ? l10n.t('succeeded') : l10n.t('failed'),
    [l10n.t('Rolled back')]: yes(call.revert),
    [l10n.t('Reason')]: failureReason(call),
    [l10n.t('Output')]: call.output,
  };
}

const valueText = (value: string, symbol: string): string =>
  value === '' ? '' : `${grouped(value)} ${shownText(symbol, SYMBOL_LIMIT)}`.trimEnd();
const argumentName = (name: string): string => l10n.t('Argument {0}', name);
const yes = (value: boolean): string => (value ? l10n.t('yes') : l10n.t('no'));

/** All differing fields of the selected row, in full. */
export function CompareDetails({ state }: { state: CompareState }): VNode | null {
  const { left, right, comparison, selected } = state;
  const rowIndex = selected.value;
  const all = comparison.value;
  const row = all?.rows[rowIndex];
  if (!row) return null;
  const facts = [
    factsOf(left.calls.tree.value.rows[row.left], left),
    factsOf(right.calls.tree.value.rows[row.right], right),
  ] as const;
  const names = [...new Set([...Object.keys(facts[0]), ...Object.keys(facts[1])])];
  const different = names.filter((name) => facts[0][name] !== facts[1][name]);
  const words = differenceText(all.differences[rowIndex] ?? []);
  return (
    <aside class="details" aria-label={l10n.t('Differences of the selected row')}>
      <div class="details-head">
        <h2>{words === '' ? l10n.t('No difference') : l10n.t('Differs: {0}', words)}</h2>
      </div>
      <div class="details-body" tabIndex={0} role="region" aria-label={l10n.t('Differing fields')}>
        {different.length > 0 && (
          <table class="params compare-fields">
            <thead>
              <tr>
                <th scope="col">{l10n.t('Field')}</th>
                <th scope="col">{l10n.t('Left')}</th>
                <th scope="col">{l10n.t('Right')}</th>
              </tr>
            </thead>
            <tbody>
              {different.map((name) => (
                <tr key={`${rowIndex} ${name}`}>
                  <th scope="row">{name}</th>
                  {facts.map((side, at) => (
                    <td key={at}>
                      {side[name] === undefined ? (
                        <span class="quiet">{l10n.t('none')}</span>
                      ) : (
                        <LongText
                          text={side[name]}
                          copyLabel={l10n.t('Copy {0}', name.toLowerCase())}
                        />
                      )}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </aside>
  );
}
