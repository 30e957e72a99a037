import type { VNode } from 'preact';
import { useMemo } from 'preact/hooks';
import { AddressName } from '../components/address';
import { DataGrid, type Column } from '../components/data-grid';
import { FilterBox, matchesFilter } from '../components/filter-box';
import { Icon } from '../components/icon';
import { NodeLink } from '../components/node-link';
import { PartView } from '../components/part-view';
import { Segments } from '../components/segments';
import { eventSegments } from '../grammar/lines';
import { plainText, type Names, type Segment } from '../grammar/segment';
import { shownText } from '../grammar/text';
import { useInspector } from '../inspector-context';
import type { Flow } from '../protocol';
import { numberedEvents, rawEvent, type NumberedEvent } from './event-list';

const TITLE_LIMIT = 600;

const COLUMNS: readonly Column[] = [
  { id: 'number', title: '#', width: '44px', align: 'right' },
  { id: 'contract', title: 'Contract', width: 'minmax(90px, 180px)' },
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
  const filter = state.keep('events.filter', '');
  const raw = state.keep('events.raw', false);
  const all = useMemo(() => numberedEvents(flow.rows), [flow]);
  const shown = useMemo(
    () =>
      filter.value.trim() === ''
        ? all
        : all.filter(({ event }) =>
            matchesFilter(filter.value, [
              names(event.contract),
              event.contract,
              event.decodedLog.name,
              event.topics[0],
              event.decodedLog.params
                .map(({ value }) => `${value} ${names(value) ?? ''}`)
                .join(' '),
            ]),
          ),
    [all, filter.value, names],
  );
  if (all.length === 0) return <p class="empty">No events: nothing was logged.</p>;
  return (
    <>
      <div class="tab-tools">
        <FilterBox
          text={filter}
          label="Filter by contract, event or argument"
          shown={shown.length}
          total={all.length}
        />
        <label class="toggle">
          <input
            type="checkbox"
            checked={raw.value}
            onChange={(event) => {
              raw.value = event.currentTarget.checked;
            }}
          />
          Raw
        </label>
      </div>
      {shown.length === 0 ? (
        <p class="empty">No event matches the filter.</p>
      ) : (
        <DataGrid
          name="events"
          label="Events"
          columns={COLUMNS}
          count={shown.length}
          row={(index) => {
            const entry = shown[index];
            if (!entry) return { key: index, cells: [], text: '' };
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
                <AddressName address={event.contract} />,
                <span class="event-line" title={shownText(plainText(line), TITLE_LIMIT)}>
                  <Segments segments={line} />
                </span>,
                <NodeLink id={event.id}>Show</NodeLink>,
              ],
            };
          }}
        />
      )}
    </>
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
