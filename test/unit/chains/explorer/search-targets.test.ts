import assert from 'node:assert/strict';
import {
  searchTargets,
  type SearchTarget,
} from '../../../../server/chains/explorer/search-targets';
import type { RpcClient } from '../../../../server/evm/forms/json-rpc';
import { ScriptedRpc } from '../../../support/scripted-rpc';

const HASH = `0x${'ab'.repeat(32)}` as const;
const NEVER = new AbortController().signal;

const node = (blockNumber: string | null | undefined): RpcClient =>
  new ScriptedRpc({
    eth_getTransactionByHash: () => (blockNumber === undefined ? null : { blockNumber }),
  });

/** A node that does not answer until the request is aborted. */
const silent: RpcClient = {
  request: (_method, _params, options) =>
    new Promise((_resolve, reject) => {
      options?.signal?.addEventListener('abort', () => {
        reject(new Error('given up'));
      });
    }),
  requestAll: () => Promise.resolve([]),
};

const chain = (slug: string, rpc: RpcClient): SearchTarget => ({
  kind: 'chain',
  chain: slug,
  name: slug.toUpperCase(),
  rpc,
});
const fork = (rpc: RpcClient, originalHead: number): SearchTarget => ({
  kind: 'fork',
  chain: 'fork_1',
  name: 'nightly',
  rpc,
  originalHead,
});

describe('the search for a transaction', () => {
  it('returns the places that contain it, in their order, pending or in a block', async () => {
    const places = [
      chain('eth', node(undefined)),
      chain('base', node('0x10')),
      chain('op', node(null)),
    ];
    assert.deepEqual(await searchTargets(HASH, places, NEVER), {
      places: [
        { kind: 'chain', chain: 'base', name: 'BASE', blockNumber: 16 },
        { kind: 'chain', chain: 'op', name: 'OP', blockNumber: null },
      ],
      unanswered: [],
    });
  });

  it('returns a fork only if the transaction was executed on the fork', async () => {
    const search = (block: string) => searchTargets(HASH, [fork(node(block), 16)], NEVER);
    assert.deepEqual((await search('0x10')).places, []);
    assert.deepEqual((await search('0x11')).places, [
      { kind: 'fork', chain: 'fork_1', name: 'nightly', blockNumber: 17 },
    ]);
  });

  it('stops waiting after a match, and reports the places without an answer', async () => {
    const places = [chain('slow', silent), chain('eth', node('0x1'))];
    const found = await searchTargets(HASH, places, NEVER, { totalMs: 60_000, graceMs: 1 });
    assert.deepEqual(
      found.places.map(({ chain: slug }) => slug),
      ['eth'],
    );
    assert.deepEqual(found.unanswered, ['slow']);
  });

  it('ends if no place answers', async () => {
    const found = await searchTargets(HASH, [chain('slow', silent)], NEVER, {
      totalMs: 1,
      graceMs: 60_000,
    });
    assert.deepEqual(found, { places: [], unanswered: ['slow'] });
  });

  it('treats a failing node as one without an answer', async () => {
    const places = [chain('broken', new ScriptedRpc({}))];
    assert.deepEqual(await searchTargets(HASH, places, NEVER), {
      places: [],
      unanswered: ['broken'],
    });
  });

  it('ends when its signal fires', async () => {
    const controller = new AbortController();
    const search = searchTargets(HASH, [chain('slow', silent)], controller.signal);
    controller.abort(new Error('the client disconnected'));
    await assert.rejects(search, /the client disconnected/);
  });
});
