/** One server-sent event, with its parsed JSON data. */
export interface ServerEvent {
  name: string;
  data: unknown;
}

/**
 * Reads server-sent events in this service's format: `event: name`, `data: JSON` on one line, a blank line. Skips comments. Ends with the
 * stream.
 * @throws SyntaxError for data that is not JSON, and the errors of the stream
 */
export async function* readEvents({
  body,
}: {
  readonly body: unknown;
}): AsyncGenerator<ServerEvent, void, undefined> {
  // The received parts of an incomplete event: an answer of 60 MB arrives in about a thousand parts.
  let open: string[] = [];
  const decoder = new TextDecoder();
  const reader = (body as ReadableStream<Uint8Array> | null)?.getReader();
  try {
    for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
      const text = decoder.decode(part.value, { stream: true });
      const endsInside = text.includes('\n\n');
      const endsAtSeam = text.startsWith('\n') && open.at(-1)?.endsWith('\n') === true;
      if (text !== '') open.push(text);
      if (!endsInside && !endsAtSeam) continue;
      const events = open.join('').split('\n\n');
      open = [events.pop() ?? ''];
      for (const event of events) {
        const [, name, data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(event) ?? [];
        if (name !== undefined) yield { name, data: JSON.parse(data) };
      }
    }
  } finally {
    await reader?.cancel().catch(() => undefined); // frees the connection if the consumer stops early
  }
}
