import assert from 'node:assert/strict';

/** Values by name and labels as in the text: `forklens_forks{state="running"}`. */
export type Metrics = ReadonlyMap<string, number>;

/** Parses Prometheus' text format 0.0.4. */
function parseMetrics(text: string): Metrics {
  const values = new Map<string, number>();
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [, name, value] = /^(\S+?(?:\{.*\})?) (\S+)$/.exec(line) ?? [];
    assert.ok(name !== undefined && value !== undefined, `not a metric: ${line}`);
    values.set(name, Number(value));
  }
  return values;
}

export async function readMetrics(
  { url }: { url: string },
  headers: Record<string, string> = {},
): Promise<Metrics> {
  const response = await fetch(`${url}/metrics`, { headers });
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type') ?? '', /^text\/plain; version=0\.0\.4/);
  return parseMetrics(await response.text());
}
