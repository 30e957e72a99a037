/** One server-sent event with its data, which is JSON. */
export interface ServerEvent {
  name: string;
  data: unknown;
}

/**
 * Reads server-sent events as this service writes them: `event: name`, `data: JSON` on one line, a blank line; comments are skipped.
 * Ends with the stream.
 * @throws SyntaxError for data that is no JSON, and what the stream itself throws
 */
export async function* readEvents({
  body,
}: {
  readonly body: unknown;
}): AsyncGenerator<ServerEvent, void, undefined> {
  // What has come of an event, in pieces: an answer of 60 MB comes in a thousand of them.
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
    await reader?.cancel().catch(() => undefined); // whoever stops listening frees the connection
  }
}
