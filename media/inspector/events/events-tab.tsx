import * as l10n from '@vscode/l10n';
import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { AddressName } from '../components/address';
import type { Column, GridRow } from '../components/data-grid';
import { FilteredGrid } from '../components/filtered-grid';
import { Icon } from '../components/icon';
import { NodeLink } from '../components/node-link';
import { PartView } from '../components/part-view';
import { Segments } from '../components/segments';
import { Toggle } from '../components/toggle';
import { eventSegments, eventWithoutUnits } from '../../../server/presentation/lines';
import { plainText, type Names, type Segment } from '../../../server/presentation/segment';
import { shownText } from '../../../server/presentation/text';
import { useInspector } from '../ui-state/inspector-context';
import { useHasWriters, WriterButton, writerColumn } from '../components/writer-button';
import type { Flow, WrittenPart } from '../protocol/protocol';
import { acceptedText } from '../search/query';
import { useRowFilter } from './use-row-filter';
import { numberedEvents, rawEvent, type NumberedEvent } from './event-list';

const TITLE_LIMIT = 600;

const columns = (): readonly Column[] => [
  { id: 'number', title: '#', width: '44px', align: 'right' },
  { id: 'contract', title: l10n.t('Contract'), width: 'minmax(90px, var(--contract))' },
  { id: 'event', title: l10n.t('Event'), width: 'minmax(0, 1fr)' },
  { id: 'node', title: l10n.t('Tree'), width: '48px', wideOnly: true },
  writerColumn(),
];

const NO_WRITERS: ReadonlySet<string> = new Set(['writer']);

const partOf = ({ id, decodedLog, contract }: NumberedEvent['event']): WrittenPart => ({
  label: decodedLog.name === '' ? l10n.t('the event') : decodedLog.name,
  query: { address: contract, node: String(id) },
});

/** The event without its contract, which has its own column. */
function eventLine({ event }: NumberedEvent, names: Names, { raw, units }: EventStyle): Segment[] {
  const shown = units ? event : eventWithoutUnits(event);
  return eventSegments(raw ? rawEvent(event) : shown, names).slice(2);
}

interface EventStyle {
  /** Shows topics and data. */
  raw: boolean;
  /** Shows amounts in their units, as the call tree does. */
  units: boolean;
}

function EventList({ flow }: { flow: Flow }): VNode {
  const { state } = useInspector();
  const names = state.names.value;
  const hasWriters = useHasWriters();
  const raw = state.persistentSignal('events.raw', false);
  const { units = true } = state.calls.style.value;
  const { text, problem, matches } = useRowFilter('events');
  const all = useMemo(() => numberedEvents(flow.rows), [flow]);
  const shown = useMemo(() => all.filter(({ index }) => matches(index)), [all, matches]);
  if (all.length === 0) return <p class="empty">{l10n.t('No events: nothing was logged.')}</p>;

  function gridRow(entry: NumberedEvent): GridRow {
    const { event, number } = entry;
    const line = eventLine(entry, names, { raw: raw.value, units });
    return {
      key: event.id,
      class: event.revert ? 'undone' : '',
      text: plainText(eventSegments(event, names)),
      open: () => {
        state.showNode(event.id);
      },
      cells: [
        event.revert ? (
          <Icon name="discard" label={l10n.t('Rolled back: the chain has no such log')} />
        ) : (
          <span class="quiet">{number}</span>
        ),
        <AddressName key="contract" address={event.contract} />,
        <span key="event" class="line" title={shownText(plainText(line), TITLE_LIMIT)}>
          <Segments segments={line} isLine />
        </span>,
        <NodeLink key="node" id={event.id}>
          {l10n.t('Show')}
        </NodeLink>,
        <WriterButton key="writer" part={partOf(event)} />,
      ],
    };
  }

  return (
    <FilteredGrid
      name="events"
      label={l10n.t('Events')}
      columns={columns()}
      empty={hasWriters ? undefined : NO_WRITERS}
      items={shown}
      row={gridRow}
      filter={{
        text,
        problem,
        help: l10n.t('Accepted: {0}', acceptedText()),
        label: l10n.t('Filter: text, address, or {0}', 'event:Transfer from:0x… reverted'),
        shown: shown.length,
        total: all.length,
      }}
      nothing={l10n.t('No event matches the filter.')}
    >
      <Toggle
        label={l10n.t('Raw')}
        checked={raw.value}
        onChange={(on) => {
          raw.value = on;
        }}
      />
    </FilteredGrid>
  );
}

/** The logs in order, including reverted ones. */
export function EventsTab(): VNode {
  return (
    <PartView part="flow" loading={l10n.t('Loading events…')}>
      {(flow) => <EventList flow={flow} />}
    </PartView>
  );
}
