import * as l10n from '@vscode/l10n';
import type { Event } from '../../../server/api/explorer';
import { shortHex } from '../../../server/presentation/text';
import type { FlowRow } from '../protocol/protocol';

export interface NumberedEvent {
  event: Event;
  /** Index of the event's row in the call tree. */
  index: number;
  /** Index among the logs of the receipt, from 0; undefined for a reverted event. */
  number: number | undefined;
}

export function numberedEvents(rows: readonly FlowRow[]): NumberedEvent[] {
  const events: NumberedEvent[] = [];
  let next = 0;
  rows.forEach((row, index) => {
    if (row.nodeType === 0) return;
    events.push({ event: row.event, index, number: row.event.revert ? undefined : next++ });
  });
  return events;
}

/** The undecoded event: first topic, other topics and data. */
export function rawEvent(event: Event): Event {
  const [first, ...others] = event.topics;
  const topics = others.map((value, index) => ({
    name: l10n.t('topic {0}', index + 1),
    type: 'bytes32',
    value,
  }));
  const data = /^(0x)?$/.test(event.logData)
    ? []
    : [{ name: l10n.t('data'), type: 'bytes', value: event.logData }];
  const name = first === undefined ? 'anonymous' : shortHex(first);
  const decodedLog = { name, signature: first ?? 'anonymous', params: [...topics, ...data] };
  return { ...event, logDecoded: true, decodedLog };
}
