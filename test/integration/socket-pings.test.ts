import assert from 'node:assert/strict';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { PROJECT } from './fork-service';
import { useFork } from './fork-suite';

describe('WebSocket pings', () => {
  const on = useFork();

  it('end the connections that do not answer, and no others, and are no calls', async () => {
    // Longer than other work of this process takes at a time: a pong that waits for it counts as none.
    const service = await on.another({}, { pingMs: 1_000 });
    const fork = await service.create({ height: '0x3' });
    const open = async (autoPong: boolean): Promise<WebSocket> => {
      const client = new WebSocket(fork.rpc.replace('http', 'ws'), { autoPong });
      await once(client, 'open');
      return client;
    };
    const [dead, alive] = await Promise.all([open(false), open(true)]);
    const [code] = (await once(dead, 'close')) as [number];
    assert.equal(code, 1006);
    // Both connections are equally old.
    assert.equal(alive.readyState, WebSocket.OPEN);
    assert.equal(service.socketCalls, 0);
    alive.send('{"jsonrpc":"2.0","id":1,"method":"net_version"}');
    const [data] = (await once(alive, 'message')) as [Buffer];
    assert.deepEqual(JSON.parse(String(data)), { jsonrpc: '2.0', id: 1, result: '1' });
    assert.equal(service.socketCalls, 1);
    alive.close();
    await once(alive, 'close');
    await service.forks.deleteAllOf(PROJECT);
    await service.close();
  });
});
