import assert from 'node:assert/strict';
import { reportOf } from '../../../extension/model/errors';
import { ForkRpcError, forkRpc } from '../../../server/client/fork-rpc';
import { ApiError } from '../../../server/api/errors';
import { JsonService } from '../../support/json-service';

describe('a request to a fork', () => {
  let node: JsonService;
  let answer: object;
  before(async () => {
    node = await JsonService.start(() => ({ body: { jsonrpc: '2.0', id: 1, ...answer } }));
  });
  after(() => node.close());

  const ask = (): Promise<unknown> =>
    forkRpc({ rpc: node.url, name: 'one' }, 'eth_x', [], new AbortController().signal);

  it('returns the result, which may be null', async () => {
    answer = { result: '0x1' };
    assert.equal(await ask(), '0x1');
    answer = { result: null };
    assert.equal(await ask(), null);
  });

  it("fails with the fork's error, which the user sees", async () => {
    answer = { error: { code: 3, message: 'execution reverted', data: '0x08' } };
    const error = await ask().catch((reason: unknown) => reason);
    assert.ok(error instanceof ForkRpcError);
    assert.deepEqual([error.code, error.message, error.data], [3, 'execution reverted', '0x08']);
    assert.equal(reportOf(error)?.message, 'The fork answers: execution reverted.');
    answer = { error: { code: -32002, message: 'no luck today' } };
    await assert.rejects(ask(), { code: -32002, message: 'no luck today', data: undefined });
  });

  it('reports a fork that does not answer, without its address', async () => {
    await node.close();
    const error = await ask().catch((reason: unknown) => reason);
    assert.ok(error instanceof ApiError && error.kind === 'engineUnavailable');
    assert.equal(error.message, 'fork "one" does not answer');
  });
});
