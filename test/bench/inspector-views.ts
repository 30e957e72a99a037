import type { Browser } from 'playwright-core';
import {
  LIST_OF,
  type PartId,
  type TabId,
  type ToWebview,
} from '../../media/inspector/protocol/protocol';
import { sandboxParts, sourceOf, SURROUNDINGS } from '../ui-components/fixtures';
import { InspectorPage } from '../ui-components/inspector-page';
import { ms, quantile, scroll, watchPaints } from './page-frames';

/*
 * How long every view of the inspector takes to paint an analysis of 100,000 calls, with amounts in their units and marks of addresses.
 */

const CALLS = 100_000;
/** Items of the other lists: an event for every fifth call, and the transfers that these are. */
const EVENTS = CALLS / 5;
const ACCOUNTS = 5_000;
const SPEED = 50;

/** What a view shows first, and what scrolls in it. */
const VIEWS: readonly { tab: TabId; shows: string; scrolls?: string }[] = [
  { tab: 'overview', shows: '.story li' },
  { tab: 'calls', shows: '[role=treeitem]', scrolls: '.tree-scroller' },
  { tab: 'balances', shows: '.grid-row', scrolls: '.grid-scroller' },
  { tab: 'fundFlow', shows: '.fund-flow .account-node' },
  { tab: 'events', shows: '.grid-row', scrolls: '.grid-scroller' },
  { tab: 'state', shows: '.grid-row', scrolls: '.grid-scroller' },
  { tab: 'gas', shows: '.bar', scrolls: '.flame' },
];

/** The first and the last message of a list are sent alone, and measured. */
interface Lists {
  head: ToWebview[];
  seeds: { part: PartId; items: unknown[]; count: number }[];
}

function listsOf(): Lists & { open: ToWebview[] } {
  const parts = sandboxParts('flash-loan');
  const { flow } = parts;
  const call = flow.rows.find(
    (row) => row.nodeType === 0 && row.invocation.decodedMethod?.name === 'transfer',
  );
  const event = flow.rows.find(
    (row) => row.nodeType === 1 && row.event.decodedLog.name === 'Transfer',
  );
  if (call?.nodeType !== 0 || event?.nodeType !== 1) throw new Error('no transfer');
  const asset = call.invocation.address;
  const readings = [{ path: '', asset, symbol: 'hUSD', amount: '2000.000001' }];
  for (const params of [
    call.invocation.decodedMethod?.callParams ?? [],
    event.event.decodedLog.params,
  ]) {
    const last = params.at(-1);
    if (last) last.readings = readings;
  }
  const seeds: Lists['seeds'] = [
    { part: 'flow', items: [call, call, call, call, call, event], count: CALLS + EVENTS },
    {
      part: 'balanceChange',
      items: parts.balanceChange.balanceChange.slice(1, 3),
      count: ACCOUNTS,
    },
    { part: 'fundFlow', items: parts.fundFlow.fundFlow.slice(0, 1), count: EVENTS },
    {
      part: 'stateDiff',
      items: parts.stateDiff.accounts.filter(({ storage }) => storage.length > 0),
      count: ACCOUNTS,
    },
    { part: 'gasProfile', items: parts.gasProfile.frames.slice(1, 2), count: CALLS },
  ];
  const head = seeds.map(({ part, count }) => {
    const rest: Record<string, unknown> = { ...parts[part as keyof typeof parts] };
    Reflect.deleteProperty(rest, LIST_OF[part]);
    return { type: 'head', part, head: rest, total: count } as unknown as ToWebview;
  });
  return { open: [{ type: 'open', source: sourceOf(flow) }, SURROUNDINGS], head, seeds };
}

/** Times in milliseconds. */
interface Painted {
  /** From the first items to the paint of the view. */
  first: number;
  /** From the last items to the next paint. */
  whole: number;
  /** From the choice of the view, with all data there, to its paint. */
  chosen: number;
}

/** Runs inside the page and plays the extension host. */
async function paint(json: string): Promise<Painted> {
  const { open, head, seeds, shows, tab } = JSON.parse(json) as ReturnType<typeof listsOf> & {
    shows: string;
    tab: TabId;
  };
  const SLICE = 500;
  const DEEP = 40;
  const address = (at: number): string => `0x${(at % 5003).toString(16).padStart(40, '0')}`;
  /** A seed with ids and addresses of its own. */
  const itemOf = (part: PartId, seed: unknown, at: number): unknown => {
    const item = structuredClone(seed) as Record<string, unknown>;
    switch (part) {
      case 'flow': {
        const node = (item['invocation'] ?? item['event']) as Record<string, unknown>;
        node['id'] = at;
        node['fromAddress'] = address(at + 1);
        const { callParams, params } = (node['decodedMethod'] ?? node['decodedLog']) as Record<
          string,
          { type: string; value: string }[] | undefined
        >;
        for (const param of callParams ?? params ?? []) {
          param.value = param.type === 'address' ? address(at) : String(2_000_000_001 + at);
        }
        return { ...item, depth: at === 0 ? 0 : 1 + ((at - 1) % DEEP) };
      }
      case 'balanceChange':
        return { ...item, account: address(at) };
      case 'fundFlow':
        return {
          ...item,
          order: at,
          nodeId: at * 6 + 5,
          from: address(at % 50),
          to: address(at + 50),
        };
      case 'stateDiff':
        return { ...item, address: address(at) };
      default:
        return {
          ...item,
          id: at + Math.floor(at / 5),
          address: address(at),
          depth: at === 0 ? 0 : 1 + ((at - 1) % DEEP),
        };
    }
  };
  const slicesOf = ({ part, items, count }: (typeof seeds)[number]): ToWebview[] =>
    Array.from({ length: Math.ceil(count / SLICE) }, (_, slice) => {
      const from = slice * SLICE;
      const length = Math.min(SLICE, count - from);
      const made = Array.from({ length }, (_, at) =>
        itemOf(part, items[(from + at) % items.length], from + at),
      );
      return { type: 'slice', part, items: JSON.stringify(made) };
    });
  const { painted, shown } = window.paints;
  const isShown = (): boolean => document.querySelector(`.panel ${shows}`) !== null;
  const send = (messages: readonly ToWebview[]): void => {
    for (const message of messages) window.postMessage(message);
  };
  const taken = (): number => window.fakeHost.sent.filter(({ type }) => type === 'taken').length;
  const lists = seeds.map(slicesOf);
  // A small analysis first, so that the code of the view is loaded.
  const few = seeds.map(({ part, items }) => ({
    part,
    items: items.map((item, at) => itemOf(part, item, at)),
  }));
  send(open);
  send(head.map((message, at) => ({ ...message, total: few[at]?.items.length }) as ToWebview));
  send(few.map(({ part, items }) => ({ type: 'slice', part, items: JSON.stringify(items) })));
  await shown(isShown);
  send(open);
  send(head);
  await shown(() => !isShown());
  const before = taken();
  let started = performance.now();
  send(lists.map(([first]) => first!));
  const first = (await shown(isShown)) - started;
  const middle = lists.flatMap((list) => list.slice(1, -1));
  send(middle);
  await shown(() => taken() - before === lists.length + middle.length);
  await painted();
  started = performance.now();
  send(lists.map((list) => list.at(-1)!));
  const whole =
    (await shown(() => taken() - before === 2 * lists.length + middle.length)) - started;
  const choose = (id: string): void => document.getElementById(`tab-${id}`)?.click();
  const other = tab === 'overview' ? 'calls' : 'overview';
  choose(other);
  await shown(() => document.getElementById(`panel-${other}`) !== null && !isShown());
  await painted();
  started = performance.now();
  choose(tab);
  const chosen = (await shown(isShown)) - started;
  return { first, whole, chosen };
}

/** Table rows for each view. */
export async function measureViews(
  browser: Browser,
): Promise<Record<string, Record<string, string>>> {
  const lists = listsOf();
  const source = sourceOf(sandboxParts('flash-loan').flow);
  const table: Record<string, Record<string, string>> = {};
  for (const { tab, shows, scrolls } of VIEWS) {
    const { page } = await InspectorPage.open(browser, {
      saved: { version: 2, source, view: { tab } },
    });
    await page.evaluate(watchPaints);
    const { first, whole, chosen } = await page.evaluate(
      paint,
      JSON.stringify({ ...lists, shows, tab }),
    );
    table[tab] = { 'first items': ms(first), 'last items': ms(whole), chosen: ms(chosen) };
    if (scrolls !== undefined) {
      if (tab === 'calls') await page.getByRole('button', { name: /^Expand all/ }).click();
      const { intervals, work } = await scroll(page, scrolls, SPEED);
      table[tab]['frame p95'] = ms(quantile(intervals, 0.95));
      table[tab]['work p95'] = ms(quantile(work, 0.95));
    }
    await page.close();
  }
  return table;
}
