import { createParser, type EventSourceMessage } from 'eventsource-parser';

/** One server-sent event with its data, which is JSON. */
export interface ServerEvent {
  name: string;
  data: unknown;
}

/**
 * Reads server-sent events (WHATWG HTML, "Server-sent events") with a name and JSON as their data; others are skipped.
 * Ends with the stream.
 * @throws SyntaxError for data that is no JSON, and what the stream itself throws
 */
export async function* readEvents({
  body,
}: {
  readonly body: unknown;
}): AsyncGenerator<ServerEvent, void, undefined> {
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
  const decoder = new TextDecoder();
  const reader = (body as ReadableStream<Uint8Array> | null)?.getReader();
  try {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      parser.feed(decoder.decode(part.value, { stream: true }));
      for (const { event: name, data } of events.splice(0)) {
        if (name !== undefined) yield { name, data: JSON.parse(data) };
      }
    }
  } finally {
    await reader?.cancel().catch(() => undefined); // whoever stops listening frees the connection
  }
}
