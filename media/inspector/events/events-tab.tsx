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
import { eventSegments } from '../grammar/lines';
import { plainText, type Names, type Segment } from '../grammar/segment';
import { shownText } from '../grammar/text';
import { useInspector } from '../inspector-context';
import type { Flow } from '../protocol';
import { acceptedText } from '../search/query';
import { useRowFilter } from '../search/use-row-filter';
import { numberedEvents, rawEvent, type NumberedEvent } from './event-list';

const TITLE_LIMIT = 600;

const COLUMNS: readonly Column[] = [
  { id: 'number', title: '#', width: '44px', align: 'right' },
  { id: 'contract', title: 'Contract', width: 'minmax(90px, var(--contract))' },
  { id: 'event', title: 'Event', width: 'minmax(0, 1fr)' },
  { id: 'node', title: 'Tree', width: '48px', wideOnly: true },
];

/** The event without its contract, which has a column of its own. */
function eventLine({ event }: NumberedEvent, names: Names, raw: boolean): Segment[] {
  return eventSegments(raw ? rawEvent(event) : event, names).slice(2);
}

function EventList({ flow }: { flow: Flow }): VNode {
  const { state } = useInspector();
  const names = state.names.value;
  const raw = state.keep('events.raw', false);
  const { text, problem, matches } = useRowFilter('events');
  const all = useMemo(() => numberedEvents(flow.rows), [flow]);
  const shown = useMemo(() => all.filter(({ index }) => matches(index)), [all, matches]);
  if (all.length === 0) return <p class="empty">No events: nothing was logged.</p>;

  function gridRow(entry: NumberedEvent): GridRow {
    const { event, number } = entry;
    const line = eventLine(entry, names, raw.value);
    return {
      key: event.id,
      class: event.revert ? 'undone' : '',
      text: plainText(eventSegments(event, names)),
      open: () => {
        state.showNode(event.id);
      },
      cells: [
        event.revert ? (
          <Icon name="discard" label="Rolled back: the chain has no such log" />
        ) : (
          <span class="quiet">{number}</span>
        ),
        <AddressName key="contract" address={event.contract} />,
        <span key="event" class="event-line" title={shownText(plainText(line), TITLE_LIMIT)}>
          <Segments segments={line} />
        </span>,
        <NodeLink key="node" id={event.id}>
          Show
        </NodeLink>,
      ],
    };
  }

  return (
    <FilteredGrid
      name="events"
      label="Events"
      columns={COLUMNS}
      items={shown}
      row={gridRow}
      filter={{
        ...{ text, problem, help: `Accepted: ${acceptedText()}` },
        label: 'Filter: text, address, or event:Transfer from:0x… reverted',
        ...{ shown: shown.length, total: all.length },
      }}
      nothing="No event matches the filter."
    >
      <Toggle
        label="Raw"
        checked={raw.value}
        onChange={(on) => {
          raw.value = on;
        }}
      />
    </FilteredGrid>
  );
}

/** The logs in their order, with those that were rolled back. */
export function EventsTab(): VNode {
  return (
    <PartView part="flow" what="events">
      {(flow) => <EventList flow={flow} />}
    </PartView>
  );
}
