import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { LongText } from '../components/long-text';
import { wholeCallData } from '../copy/call-data';
import { rowAsText } from '../copy/row-copies';
import { failureReason } from '../grammar/lines';
import { grouped } from '../grammar/text';
import type { FlowRow } from '../protocol';
import type { InspectorState } from '../state';
import { differenceText } from './compare-calls';
import type { CompareState } from './compare-state';

/** What is compared of a row, as text. */
function factsOf(row: FlowRow | undefined, side: InspectorState): Record<string, string> {
  if (!row) return {};
  const line = rowAsText(row, side.names.value);
  if (row.nodeType === 1) {
    const { topics, logData, revert } = row.event;
    return { Event: line, Topics: topics.join(' '), Data: logData, 'Rolled back': yes(revert) };
  }
  const call = row.invocation;
  return {
    Call: line,
    From: call.fromAddress,
    To: call.address,
    Value: grouped(call.value),
    'Call data': wholeCallData(call),
    Gas: grouped(String(call.gasUsed)),
    Outcome: call.status ? 'succeeded' : 'failed',
    'Rolled back': yes(call.revert),
    Reason: failureReason(call),
    Output: call.output,
  };
}

const yes = (value: boolean): string => (value ? 'yes' : 'no');

/** The selected row: all in which its two sides differ, in full. */
export function CompareDetails({ state }: { state: CompareState }): VNode | null {
  const { left, right, comparison, selected } = state;
  const place = selected.value;
  const all = comparison.value;
  const row = all?.rows[place];
  if (!row) return null;
  const facts = [
    factsOf(left.calls.tree.value.rows[row.left], left),
    factsOf(right.calls.tree.value.rows[row.right], right),
  ] as const;
  const names = [...new Set([...Object.keys(facts[0]), ...Object.keys(facts[1])])];
  const different = names.filter((name) => facts[0][name] !== facts[1][name]);
  const words = differenceText(all.differences[place] ?? []);
  return (
    <aside class="details" aria-label="Differences of the selected row">
      <div class="details-head">
        <h2>{words === '' ? 'No difference' : `Differs: ${words}`}</h2>
      </div>
      <div class="details-body" tabIndex={0} role="region" aria-label="Differing fields">
        {different.length > 0 && (
          <table class="params compare-fields">
            <thead>
              <tr>
                <th scope="col">Field</th>
                <th scope="col">Left</th>
                <th scope="col">Right</th>
              </tr>
            </thead>
            <tbody>
              {different.map((name) => (
                <tr key={`${place} ${name}`}>
                  <th scope="row">{name}</th>
                  {facts.map((side, at) => (
                    <td key={at}>
                      {side[name] === undefined ? (
                        <span class="quiet">none</span>
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
