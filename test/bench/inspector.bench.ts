import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { Worker } from 'node:worker_threads';
import type { Browser } from 'playwright-core';
import { AnalysisWorker } from '../../extension/inspector/analysis-worker';
import type { FlowRow, ToWebview } from '../../media/inspector/protocol/protocol';
import { success } from '../../server/api/envelope';
import type { InvocationFlow, TraceNode } from '../../server/api/explorer';
import { fixture, flowOf, invocation, SURROUNDINGS, sourceOf } from '../ui-components/fixtures';
import { buildInspector, InspectorPage, launchBrowser } from '../ui-components/inspector-page';
import { measureViews } from './inspector-views';
import { ms, quantile, scroll, watchPaints, type Frames } from './page-frames';

/*
 * Measures a trace of 100,000 calls in the inspector. Webview (the shipped bundle in headless Chromium without a graphics card): the time
 * from the arrival of the first slice to its paint, the time until all rows are there, frame times while the tree scrolls, and memory; then
 * the paint and the scrolling of every view.
 * Extension host: the longest stall of its event loop while it passes on an answer of some 60 MB.
 *
 *     npm run bench -- inspector
 */

const ROWS = 100_000;
/** Scroll speeds, in pixels per sixtieth of a second: a wheel, a free-spinning wheel, and page by page. */
const SPEEDS = [50, 200, 700];
const DEEP = 40;
/** Rows of a slice: about as many as the extension host sends. */
const SLICE = 500;

const ROOT = path.resolve(__dirname, '../..');
const megabytes = (bytes: number): string => `${Math.round(bytes / 1e6)} MB`;

function rowsOf(count: number): FlowRow[] {
  return Array.from({ length: count }, (_, id) => {
    const holder = `0x${(id % 1009).toString(16).padStart(40, '0')}`;
    return {
      nodeType: 0,
      depth: id === 0 ? 0 : 1 + ((id - 1) % DEEP),
      invocation: invocation({
        id,
        selector: '0x23b872dd',
        methodDecoded: true,
        callData: `${holder.slice(2).padStart(64, '0').repeat(2)}${id.toString(16).padStart(64, '0')}`,
        output: `0x${'1'.padStart(64, '0')}`,
        decodedMethod: {
          name: 'transferFrom',
          signature: 'transferFrom(address,address,uint256)',
          callParams: [
            { name: 'from', type: 'address', value: holder },
            { name: 'to', type: 'address', value: holder },
            { name: 'value', type: 'uint256', value: String(id) },
          ],
          returnParams: [{ name: '', type: 'bool', value: 'true' }],
          constructorArguments: '',
          source: 'built-in',
        },
      }),
    };
  });
}

/** Measurements of the page. Times are in milliseconds. */
interface Measured {
  firstPaint: number;
  whole: number;
  /** In the order of `SPEEDS`. */
  scrolls: Frames[];
  heap: number;
}

/** Runs inside the page and plays the extension host, which sends one slice per acknowledged slice. */
async function measure(json: string): Promise<Omit<Measured, 'scrolls'>> {
  const { begin, sample, count } = JSON.parse(json) as {
    begin: ToWebview[];
    sample: FlowRow[];
    count: number;
  };
  // Built in the page, because the driver cannot transfer 60 MB.
  const slices = Array.from({ length: count / sample.length }, (_, slice) =>
    JSON.stringify(
      sample.map((row, place) => {
        const id = slice * sample.length + place;
        if (row.nodeType !== 0) return row;
        const depth = id === 0 ? 0 : Math.max(1, row.depth);
        return { ...row, depth, invocation: { ...row.invocation, id } };
      }),
    ),
  );
  const { painted, shown } = window.paints;
  for (const message of begin) window.postMessage(message);
  await painted();
  const next = (): void => {
    const items = slices.shift();
    if (items !== undefined) window.postMessage({ type: 'slice', part: 'flow', items });
  };
  const { sent } = window.fakeHost;
  const push = sent.push.bind(sent);
  sent.push = (...messages) => {
    if (messages.some(({ type }) => type === 'taken')) next();
    return push(...messages);
  };
  const started = performance.now();
  next();
  next();
  const first = await shown(() => document.querySelector('[role=treeitem]') !== null);
  const whole = await shown(
    () => slices.length === 0 && document.querySelector('[role=tree]')?.ariaLabel !== null,
  );
  const { memory } = performance as unknown as { memory: { usedJSHeapSize: number } };
  return {
    firstPaint: first - started,
    whole: whole - started,
    heap: memory.usedJSHeapSize,
  };
}

/** Table rows for a scroll of `pixels` per frame. */
function scrolled(pixels: number, { intervals, work }: Frames): Record<string, string> {
  const speed = `${(pixels * 60).toLocaleString('en')} pixels a second`;
  return {
    [`${speed}: from frame to frame, median`]: ms(quantile(intervals, 0.5)),
    [`${speed}: from frame to frame, p95 (a screen's own is 16.7)`]: ms(quantile(intervals, 0.95)),
    [`${speed}: the page's work for a frame, p95 (aim 16 ms)`]: ms(quantile(work, 0.95)),
  };
}

async function webview(browser: Browser, rows: readonly FlowRow[]): Promise<Measured> {
  const flow = flowOf([]);
  const source = sourceOf(flow);
  const view = { tab: 'calls' };
  const { page } = await InspectorPage.open(browser, {
    saved: { version: 2, source, view },
  });
  const { status, transaction, labels, verification } = flow;
  const head = { status, transaction, labels, verification };
  const begin: ToWebview[] = [
    { type: 'open', source },
    SURROUNDINGS,
    { type: 'head', part: 'flow', head, total: rows.length },
  ];
  await page.evaluate(watchPaints);
  const measured = await page.evaluate(
    measure,
    JSON.stringify({ begin, sample: rows.slice(0, SLICE), count: rows.length }),
  );
  await page.getByRole('button', { name: /^Expand all/ }).click();
  const scrolls: Frames[] = [];
  for (const pixels of SPEEDS) scrolls.push(await scroll(page, '.tree-scroller', pixels));
  return { ...measured, scrolls };
}

/** Builds the service's answer with the given rows. */
function answerOf(rows: readonly FlowRow[]): InvocationFlow {
  const { flow } = fixture('swap');
  const dataMap: InvocationFlow['dataMap'] = {};
  const trace: TraceNode[] = [];
  const open: TraceNode[] = [];
  for (const { depth, ...data } of rows) {
    if (data.nodeType !== 0) continue;
    const node: TraceNode = { id: data.invocation.id, depth, children: [] };
    dataMap[String(node.id)] = data;
    while ((open.at(-1)?.depth ?? -1) >= depth) open.pop();
    (open.at(-1)?.children ?? trace).push(node);
    open.push(node);
  }
  return { ...flow, trace, dataMap };
}

/** Serves one file to every request, in its own thread. */
const SERVER = `
  const { createServer } = require('node:http');
  const { readFileSync } = require('node:fs');
  const { parentPort, workerData } = require('node:worker_threads');
  const body = readFileSync(workerData);
  const server = createServer((request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(body);
  });
  server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

async function host(
  rows: readonly FlowRow[],
): Promise<{ stall: number; all: number; bytes: number }> {
  execFileSync(process.execPath, ['esbuild.mjs', 'extension'], { cwd: ROOT });
  const folder = mkdtempSync(path.join(tmpdir(), 'forklens-bench-'));
  const file = path.join(folder, 'answer.json');
  const body = JSON.stringify(success(answerOf(rows)));
  writeFileSync(file, body);
  const server = new Worker(SERVER, { eval: true, workerData: file });
  try {
    const port = await new Promise<number>((resolve) => server.once('message', resolve));
    const access = { baseUrl: `http://127.0.0.1:${port}`, accessKey: 'bench' };
    const worker = new AnalysisWorker(path.join(ROOT, 'dist/inspector-worker.js'), {
      access: () => Promise.resolve(access),
      renew: () => Promise.resolve(undefined),
      checkService: () => Promise.resolve(),
    });
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const started = performance.now();
    await new Promise<void>((resolve, reject) => {
      let missing = Infinity;
      const channel = worker.open(sourceOf(flowOf([])), (message) => {
        if (message.type === 'failed') reject(new Error(message.failure.message));
        if (message.type === 'head') missing = message.total;
        if (message.type !== 'slice') return;
        // The editor serializes the message on its way to the webview.
        JSON.stringify(message);
        missing -= (message.items.match(/"nodeType":/g) ?? []).length;
        channel.send({ type: 'taken', part: 'flow' });
        if (missing <= 0) resolve();
      });
      channel.send({ type: 'load', part: 'flow' });
    });
    delay.disable();
    const all = performance.now() - started;
    worker.dispose();
    return { stall: delay.max / 1e6, all, bytes: body.length };
  } finally {
    await server.terminate();
    rmSync(folder, { recursive: true });
  }
}

async function main(): Promise<void> {
  const rows = rowsOf(ROWS);
  const inHost = await host(rows);
  buildInspector();
  const browser = await launchBrowser();
  const { firstPaint, whole, scrolls, heap } = await webview(browser, rows);
  const views = await measureViews(browser);
  await browser.close();
  console.log(`A trace of ${ROWS.toLocaleString('en')} calls in the inspector`);
  console.table({
    'first paint after the first slice (aim 300 ms)': ms(firstPaint),
    'all rows there': ms(whole),
    ...Object.assign({}, ...scrolls.map((frames, at) => scrolled(SPEEDS[at] ?? NaN, frames))),
    'heap of the webview': megabytes(heap),
    [`extension host: longest stop, answer of ${megabytes(inHost.bytes)}`]: ms(inHost.stall),
    'extension host: answer fetched, checked and passed on': ms(inHost.all),
  });
  console.log(
    'Time to the paint of each view (aim 100 ms), and frames of a scroll by 3,000 pixels a second',
  );
  console.table(views);
}

void main();
