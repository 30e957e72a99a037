import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import {
  EventRelay,
  type EventTable,
  type WrittenEvent,
} from '../../../../server/team/cluster/event-relay';

interface Event {
  subject: string;
  value: number;
}

/** A table in memory, which several relays share. */
class Table implements EventTable {
  constructor(
    private readonly writer: string,
    private readonly rows: WrittenEvent[],
  ) {}

  failure: Error | undefined;

  append(from: number, events: readonly string[]): Promise<void> {
    if (this.failure) return Promise.reject(this.failure);
    events.forEach((event, index) => {
      this.rows.push({ writer: this.writer, seq: from + index, event });
    });
    return Promise.resolve();
  }

  readAfter(seen: ReadonlyMap<string, number>): Promise<WrittenEvent[]> {
    return Promise.resolve(
      this.rows.filter(
        ({ writer, seq }) => writer !== this.writer && seq > (seen.get(writer) ?? 0),
      ),
    );
  }

  newest(): Promise<Map<string, number>> {
    return Promise.resolve(new Map(this.rows.map(({ writer, seq }) => [writer, seq])));
  }

  removeOld(): Promise<void> {
    return Promise.resolve();
  }
}

describe('EventRelay', () => {
  let rows: WrittenEvent[];
  let table: Table;
  let received: Event[];
  let failures: unknown[];
  const relays: EventRelay<Event>[] = [];
  const open = async (from: Table, hint = () => Promise.resolve()) => {
    const relay = await EventRelay.open<Event>({
      table: from,
      subjectOf: ({ subject }) => subject,
      onEvent: (event) => {
        received.push(event);
        return Promise.resolve();
      },
      hint,
      onFailed: (error) => failures.push(error),
    });
    relays.push(relay);
    return relay;
  };
  beforeEach(() => {
    [rows, received, failures] = [[], [], []];
    table = new Table('a', rows);
  });
  afterEach(() => Promise.all(relays.splice(0).map((relay) => relay.close())));

  it('passes the newest event of each subject on, in order and once', async () => {
    const other = await open(new Table('b', rows));
    const relay = await open(table, () => other.look());
    relay.publish({ subject: 'x', value: 1 });
    relay.publish({ subject: 'y', value: 2 });
    relay.publish({ subject: 'x', value: 3 });
    await relay.flush();
    assert.deepEqual(received, [
      { subject: 'y', value: 2 },
      { subject: 'x', value: 3 },
    ]);
    relay.publish({ subject: 'x', value: 4 });
    await relay.flush();
    await other.look();
    assert.deepEqual(received.slice(2), [{ subject: 'x', value: 4 }]);
  });

  it('passes the first of several events on at once', async () => {
    const other = await open(new Table('b', rows));
    const hints = new EventEmitter();
    const relay = await open(table, async () => {
      await other.look();
      hints.emit('read');
    });
    const read = once(hints, 'read');
    relay.publish({ subject: 'x', value: 1 });
    await read;
    assert.deepEqual(received, [{ subject: 'x', value: 1 }]);
    relay.publish({ subject: 'x', value: 2 });
    await relay.flush();
    assert.deepEqual(received.slice(1), [{ subject: 'x', value: 2 }]);
  });

  it('has passed events on when a flush resolves, whichever flush wrote them', async () => {
    const steps = new EventEmitter();
    const relay = await open(table, async () => {
      steps.emit('reading');
      await once(steps, 'read');
    });
    const reading = once(steps, 'reading');
    relay.publish({ subject: 'x', value: 1 });
    await reading;
    let isFlushed = false;
    const flushed = relay.flush().then(() => (isFlushed = true));
    await setImmediate();
    assert.equal(isFlushed, false);
    steps.emit('read');
    await flushed;
  });

  it('does not read what was written before it, nor what it wrote itself', async () => {
    const relay = await open(table);
    relay.publish({ subject: 'x', value: 1 });
    await relay.flush();
    await relay.look();
    await (await open(new Table('b', rows))).look();
    assert.deepEqual(received, []);
  });

  it('writes events again that could not be written, unless there are newer ones', async () => {
    const other = await open(new Table('b', rows));
    const relay = await open(table, () => other.look());
    table.failure = new Error('no table');
    relay.publish({ subject: 'x', value: 1 });
    relay.publish({ subject: 'y', value: 2 });
    await relay.flush();
    assert.deepEqual(failures, [table.failure]);
    relay.publish({ subject: 'x', value: 3 });
    table.failure = undefined;
    await relay.flush();
    assert.deepEqual(received.map(({ value }) => value).sort(), [2, 3]);
  });
});
