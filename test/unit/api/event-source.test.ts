import assert from 'node:assert/strict';
import { readEvents, type ServerEvent } from '../../../server/api/event-source';

/** The events of a stream that comes in these pieces. */
async function eventsOf(pieces: readonly (string | Uint8Array)[]): Promise<ServerEvent[]> {
  const body = new ReadableStream({
    start(controller) {
      for (const piece of pieces) {
        controller.enqueue(typeof piece === 'string' ? new TextEncoder().encode(piece) : piece);
      }
      controller.close();
    },
  });
  const events: ServerEvent[] = [];
  for await (const event of readEvents({ body })) events.push(event);
  return events;
}

describe('server-sent events', () => {
  const text = 'event: ready\ndata: {}\n\n: a comment\n\nevent: change\ndata: {"name":"☂"}\n\n';
  const both = [
    { name: 'ready', data: {} },
    { name: 'change', data: { name: '☂' } },
  ];

  it('are read wherever the stream is cut', async () => {
    const bytes = new TextEncoder().encode(text);
    for (let at = 0; at <= bytes.length; at++) {
      assert.deepEqual(await eventsOf([bytes.slice(0, at), bytes.slice(at)]), both);
    }
  });

  it('are read with the line ends and in the order of fields that the standard allows', async () => {
    assert.deepEqual(await eventsOf([text.replaceAll('\n', '\r\n')]), both);
    assert.deepEqual(await eventsOf(['id: 1\ndata:{"a":\ndata:1}\nevent:x\n\n']), [
      { name: 'x', data: { a: 1 } },
    ]);
  });

  it('are left out without a name, and where they are cut off', async () => {
    assert.deepEqual(await eventsOf(['data: 1\n\nevent: x\ndata: 2\n']), []);
    assert.deepEqual(await eventsOf([]), []);
  });

  it('fail where the data is no JSON, after those before', async () => {
    const events = readEvents(new Response('event: x\ndata: 1\n\nevent: x\ndata: {\n\n'));
    assert.deepEqual(await events.next(), { done: false, value: { name: 'x', data: 1 } });
    await assert.rejects(events.next(), SyntaxError);
  });

  it('end the stream when nobody reads on', async () => {
    let isCancelled = false;
    const body = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(text));
      },
      cancel() {
        isCancelled = true;
      },
    });
    for await (const { name } of readEvents({ body })) {
      assert.equal(name, 'ready');
      break;
    }
    assert.ok(isCancelled);
  });
});
