import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { RecordingProxy } from '../../../../extension/hardhat-tests/recording-proxy';

const CALL = { to: '0x00000000000000000000000000000000000000aa', data: '0x01' };
/** What the fork answers by method. */
const ANSWERS: Record<string, object> = {
  eth_blockNumber: { result: '0x7' },
  eth_sendTransaction: { result: '0xabc' },
  eth_sendRawTransaction: { result: '0xdef' },
  eth_estimateGas: { error: { code: 3, message: 'execution reverted: too large', data: '0x' } },
  eth_call: { error: { code: -32_602, message: 'unknown block' } },
};

describe('the address that notes what tests send', () => {
  let fork: Server;
  let proxy: RecordingProxy;
  let status = 200;
  beforeEach(async () => {
    status = 200;
    fork = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        const body = JSON.parse(Buffer.concat(chunks).toString()) as object;
        const answer = ({ id, method }: { id?: number; method?: string }) => ({
          jsonrpc: '2.0',
          id,
          ...ANSWERS[method ?? ''],
        });
        // A batch may be answered in any order.
        const whole = Array.isArray(body) ? body.map(answer).reverse() : answer(body);
        response.writeHead(status).end(JSON.stringify(whole));
      });
    });
    await new Promise<void>((resolve) => fork.listen(0, '127.0.0.1', resolve));
    const { port } = fork.address() as AddressInfo;
    proxy = await RecordingProxy.start(`http://127.0.0.1:${port}/rpc/secret`);
  });
  afterEach(() => {
    proxy.close();
    fork.close();
    fork.closeAllConnections();
  });

  const post = (body: unknown, url = proxy.url): Promise<Response> =>
    fetch(url, { method: 'POST', body: JSON.stringify(body) });
  const request = (method: string, ...params: unknown[]) => ({
    jsonrpc: '2.0',
    id: method,
    method,
    params,
  });

  it('passes answers on, and notes transactions and refused calls in order', async () => {
    const before = performance.timeOrigin + performance.now();
    const answer = (await (await post(request('eth_sendTransaction', CALL))).json()) as object;
    assert.deepEqual(answer, { jsonrpc: '2.0', id: 'eth_sendTransaction', result: '0xabc' });
    const batch = [request('eth_estimateGas', CALL), request('eth_sendRawTransaction', '0x02')];
    await post(batch);
    assert.deepEqual(
      proxy.sent.map(({ at, ...one }) => {
        assert.ok(at >= before);
        return one;
      }),
      [
        { kind: 'transaction', hash: '0xabc' },
        { kind: 'refused', call: CALL, block: 7, message: 'execution reverted: too large' },
        { kind: 'transaction', hash: '0xdef' },
      ],
    );
  });

  it('notes no other requests, and no other errors', async () => {
    await post(request('eth_blockNumber'));
    await post(request('eth_call', CALL));
    assert.equal((await post('text')).status, 200);
    assert.deepEqual(proxy.sent, []);
  });

  it('passes the status on', async () => {
    status = 503;
    assert.equal((await post(request('eth_blockNumber'))).status, 503);
  });

  it('refuses other paths and bodies that are too large', async () => {
    const { origin } = new URL(proxy.url);
    assert.equal((await post(request('eth_blockNumber'), `${origin}/`)).status, 404);
    const large = await post('x'.repeat(8 * 1024 ** 2)).catch(() => undefined);
    // The connection may end before the whole body is sent.
    assert.ok(large === undefined || large.status === 413);
  });

  it('says that the fork is gone', async () => {
    fork.close();
    fork.closeAllConnections();
    assert.equal((await post(request('eth_blockNumber'))).status, 502);
  });
});
