import { readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { LARGE_HASH, LargeTraceNode, largeTrace } from '../support/large-trace';
import { startService } from '../support/service';

/*
 * Measures a trace of 100,000 calls and more than 60 MB in the service: its time, the peak memory above the start, and the delay of
 * `/health`, which is requested every 5 ms during the analysis. The node runs in this process, and its trace is prepared in advance.
 *
 *     npm run bench -- large-trace
 */

const FRAMES = 100_000;
const PAUSE_MS = 5;
const GET = { headers: {} as Record<string, string> };

const quantile = (values: readonly number[], share: number): number =>
  [...values].sort((a, b) => a - b)[Math.ceil(values.length * share) - 1] ?? NaN;

/** Resident memory and its peak, in MB (Linux). */
async function memory(pid: number | undefined): Promise<{ now: number; peak: number }> {
  const status = await readFile(`/proc/${pid ?? 0}/status`, 'utf8');
  const of = (name: string): number =>
    Number(new RegExp(`${name}:\\s+(\\d+) kB`).exec(status)?.[1]) / 1024;
  return { now: of('VmRSS'), peak: of('VmHWM') };
}

async function ask(url: string, key: string): Promise<{ ms: number; bytes: number }> {
  const started = performance.now();
  const response = await fetch(url, { headers: { ...GET.headers, 'Access-Key': key } });
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  let bytes = 0;
  for await (const piece of response.body as AsyncIterable<Uint8Array>) bytes += piece.length;
  return { ms: performance.now() - started, bytes };
}

async function main(): Promise<void> {
  const node = await LargeTraceNode.start(largeTrace(FRAMES));
  const chain = { slug: 'large', chainId: 1, nativeSymbol: 'ETH', rpcUrls: [node.url] };
  const service = await startService({
    config: { chains: [chain], prices: { source: 'none' } },
  });
  try {
    const place = `${service.url}/v1/explorer/large/transaction/${LARGE_HASH}`;
    const rows: Record<string, object> = {};
    for (const [name, path] of [
      ['first: invocation-flow', 'invocation-flow'],
      ['again: invocation-flow', 'invocation-flow'],
      ['again: balance-change', 'balance-change'],
    ] as const) {
      const before = await memory(service.child.pid);
      const waits: number[] = [];
      const done = new AbortController();
      const probe = (async () => {
        while (!done.signal.aborted) {
          waits.push((await ask(`${service.url}/health`, service.key)).ms);
          await delay(PAUSE_MS);
        }
      })();
      const { ms, bytes } = await ask(`${place}/${path}`, service.key);
      done.abort();
      await probe;
      const { peak } = await memory(service.child.pid);
      rows[name] = {
        ms: Math.round(ms),
        'answer MB': (bytes / 1e6).toFixed(1),
        'peak RSS above start, MB': Math.round(peak - before.now),
        '/health p50, ms': quantile(waits, 0.5).toFixed(1),
        p99: quantile(waits, 0.99).toFixed(1),
        longest: quantile(waits, 1).toFixed(1),
      };
    }
    console.log(`${FRAMES} calls, ${(node.size / 1e6).toFixed(1)} MB`);
    console.table(rows);
  } finally {
    await service.stop();
    await node.close();
  }
}

main().catch((error: unknown) => {
  console.error(error);
  process.exitCode = 1;
});
