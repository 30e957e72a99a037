import assert from 'node:assert/strict';
import { checkEndpoint, checkEndpointAt } from '../../../../server/chains/upstream/check-endpoint';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import { ScriptedRpc, type Handlers } from '../../../support/scripted-rpc';

const HASH = `0x${'ab'.repeat(32)}`;
const HEAD = 2_000_000;

/** A clock that advances by 5 ms at every call. */
function clock(): () => number {
  let now = 0;
  return () => (now += 5);
}

const node = (handlers: Handlers = {}): ScriptedRpc =>
  new ScriptedRpc({
    eth_chainId: () => '0x1',
    eth_blockNumber: () => `0x${HEAD.toString(16)}`,
    web3_clientVersion: () => 'Geth/v1.16.0',
    eth_getBalance: () => '0x0',
    eth_getBlockByNumber: () => ({ transactions: [HASH] }),
    debug_traceTransaction: () => ({ type: 'CALL' }),
    ...handlers,
  });

const check = (handlers?: Handlers) => checkEndpoint(node(handlers), clock());

describe('the check of an endpoint', () => {
  it('detects an archive node with the debug API', async () => {
    assert.deepEqual(await check(), {
      chainId: 1,
      client: 'Geth/v1.16.0',
      blockNumber: HEAD,
      latencyMs: 5,
      stateDepth: HEAD,
      debugApi: true,
    });
  });

  it('measures how far back a pruned node has state', async () => {
    const keeps = (blocks: number) =>
      check({
        eth_getBalance: (_address: string, height: string) => {
          if (Number(height) < HEAD - blocks) throw new RpcError(-32000, 'missing trie node');
          return '0x0';
        },
      });
    assert.equal((await keeps(128)).stateDepth, 100);
    assert.equal((await keeps(90_000)).stateDepth, 10_000);
    assert.equal((await keeps(-1)).stateDepth, 0);
  });

  it('detects that there is no debug API', async () => {
    const missing = () => {
      throw new RpcError(-32601, 'the method debug_traceTransaction does not exist');
    };
    const empty = () => ({ transactions: [] });
    assert.equal((await check({ debug_traceTransaction: missing })).debugApi, false);
    const nothingToTrace = { debug_traceTransaction: missing, eth_getBlockByNumber: empty };
    assert.equal((await check(nothingToTrace)).debugApi, false);
  });

  it('detects the debug API of a node without any transaction', async () => {
    const unknown = () => {
      throw new RpcError(-32000, 'transaction not found');
    };
    const empty = () => ({ transactions: [] });
    const { debugApi } = await check({
      eth_getBlockByNumber: empty,
      debug_traceTransaction: unknown,
    });
    assert.equal(debugApi, true);
  });

  it('reports the whole state of a young chain', async () => {
    const report = await check({ eth_blockNumber: () => '0x3' });
    assert.deepEqual([report.blockNumber, report.stateDepth], [3, 3]);
  });

  it('leaves facts empty that the node does not report', async () => {
    const silent = () => {
      throw new RpcError(-32601, 'method not found');
    };
    assert.equal((await check({ web3_clientVersion: silent })).client, '');
  });

  it('rejects an endpoint that does not answer as a node', async () => {
    await assert.rejects(check({ eth_chainId: () => 'one' }), {
      kind: 'upstreamUnreachable',
      message: 'the given URL does not answer eth_chainId as a node does',
    });
  });

  it('omits the URL in errors, since it may contain a key', async () => {
    await assert.rejects(checkEndpointAt('http://127.0.0.1:9/v2/secret-key'), (error: Error) => {
      assert.match(error.message, /^no RPC endpoint of the given URL answers/);
      assert.doesNotMatch(error.message, /secret-key|127\.0\.0\.1/);
      return true;
    });
  });
});
