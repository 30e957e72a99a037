import assert from 'node:assert/strict';
import { ApiError } from '../../../../server/api/errors';
import { CompleteChanges } from '../../../../server/chains/engine/complete-changes';
import { IncompleteChangeError } from '../../../../server/evm/forms/incomplete-change-error';
import { RpcError, type RpcCall, type RpcClient } from '../../../../server/evm/forms/json-rpc';

const UNREACHABLE = new ApiError('upstreamUnreachable', 'no RPC endpoint of chain eth answers');

describe('a change while the chain cannot be read', () => {
  let failedReads: { count: number; last: unknown };
  let failing: unknown;
  let refused: Set<string>;
  let client: CompleteChanges;

  const engine: RpcClient = {
    request: () => Promise.reject(new Error('not used')),
    requestAll: (calls: readonly RpcCall[]) => {
      if (failing !== undefined) {
        failedReads.count++;
        failedReads.last = failing;
      }
      return Promise.resolve(
        calls.map(({ method }) =>
          refused.has(method)
            ? { status: 'rejected', reason: new RpcError(-32603, 'no slot found') }
            : { status: 'fulfilled', value: method },
        ),
      );
    },
  };
  beforeEach(() => {
    failedReads = { count: 0, last: undefined };
    failing = UNREACHABLE;
    refused = new Set();
    const upstream = { url: 'http://127.0.0.1:1', blockNumber: 5, name: 'chain eth', failedReads };
    client = new CompleteChanges(engine, upstream);
  });
  const outcomes = async (...methods: string[]): Promise<unknown[]> =>
    (await client.requestAll(methods.map((method) => ({ method, params: [] })))).map((one) =>
      one.status === 'fulfilled' ? one.value : (one.reason as unknown),
    );

  it('is incomplete if it was made, with everything that was requested beside it', async () => {
    const [first, second] = await outcomes('eth_blockNumber', 'evm_mine');
    assert.ok(first instanceof IncompleteChangeError);
    assert.equal(first, second);
    assert.equal(first.kind, 'upstreamUnreachable');
    assert.equal(first.message, UNREACHABLE.message);
  });

  it('reports the true cause if it was refused', async () => {
    refused.add('anvil_setERC20Allowance');
    assert.deepEqual(await outcomes('anvil_setERC20Allowance'), [UNREACHABLE]);
  });

  it('does not concern reads, which report their own errors', async () => {
    refused.add('eth_call');
    const [read, lookup] = await outcomes('eth_call', 'eth_blockNumber');
    assert.ok(read instanceof RpcError);
    assert.equal(lookup, 'eth_blockNumber');
  });

  it('names the chain where the node answers with an error of its own', async () => {
    failing = new RpcError(-32000, 'header not found');
    const [error] = await outcomes('evm_mine');
    assert.equal(
      (error as Error).message,
      "the fork's engine could not read chain eth (header not found)",
    );
    failing = new TypeError('secret');
    const [internal] = await outcomes('evm_mine');
    assert.equal(
      (internal as Error).message,
      "the fork's engine could not read chain eth; try again",
    );
  });

  it('is complete if all reads succeeded, whatever failed before', async () => {
    failing = undefined;
    Object.assign(failedReads, { count: 3, last: UNREACHABLE });
    refused.add('anvil_setBalance');
    const [mined, balance] = await outcomes('evm_mine', 'anvil_setBalance');
    assert.equal(mined, 'evm_mine');
    assert.ok(balance instanceof RpcError);
    assert.equal(await client.request('evm_mine', []), 'evm_mine');
  });
});
