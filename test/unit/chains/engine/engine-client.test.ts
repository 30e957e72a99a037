import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { AnswerReader } from '../../../../server/evm/forms/engine';
import { RpcError } from '../../../../server/evm/forms/json-rpc';
import { EngineEndedError } from '../../../../server/evm/forms/engine-ended-error';
import { EngineClient } from '../../../../server/chains/engine/engine-client';
import {
  EngineConnections,
  type EngineAddress,
} from '../../../../server/chains/engine/engine-connections';

/** What an engine writes to a connection for a request, and then, unless it ends the connection, waits for the next one. */
type Engine = (body: string, socket: Socket) => void;

const respond = (socket: Socket, body: string, head = `Content-Length: ${body.length}`): void => {
  socket.write(`HTTP/1.1 200 OK\r\n${head}\r\n\r\n${body}`);
};
const result = (id: number, value: unknown): object => ({ jsonrpc: '2.0', id, result: value });

/** A client with connections of its own. */
function clientOf({
  chain,
  ...address
}: EngineAddress & { chain?: string }): EngineClient & { close: () => Promise<void> } {
  const connections = new EngineConnections(address);
  const send = connections.send.bind(connections);
  const client = new EngineClient({ url: address.url, chain, send });
  return Object.assign(client, { close: () => connections.close() });
}

describe('the client of an engine', () => {
  let server: Server;
  let engine: Engine;
  let url: string;
  let sockets: Socket[];

  beforeEach(async () => {
    sockets = [];
    server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        engine(bytes.toString().split('\r\n\r\n')[1] ?? '', socket);
      });
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterEach(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });

  it('asks one after the other over connections that stay open', async () => {
    engine = (body, socket) => {
      const { method } = JSON.parse(body) as { method: string };
      respond(socket, JSON.stringify(result(0, method)));
    };
    const client = clientOf({ url });
    assert.equal(await client.request('a', []), 'a');
    for (let i = 0; i < 5; i++) assert.equal(await client.request('b', []), 'b');
    assert.ok(sockets.length <= 2, `${sockets.length} connections`);
    await client.close();
  });

  it('puts an answer together that comes in pieces', async () => {
    const body = JSON.stringify(result(0, 'x'));
    const text = `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
    engine = (_, socket) => {
      const pieces = [text.slice(0, 20), text.slice(20, 50), text.slice(50)];
      const next = (): void => {
        const piece = pieces.shift();
        if (piece !== undefined) socket.write(piece, () => setImmediate(next));
      };
      socket.setNoDelay(true);
      next();
    };
    const client = clientOf({ url });
    assert.equal(await client.request('a', []), 'x');
    await client.close();
  });

  it('finds the answers of a batch, and redacts what they say', async () => {
    engine = (_, socket) => {
      const error = { code: 3, message: `no ${url}/secret-path`, data: '0xabcd' };
      respond(socket, JSON.stringify([{ jsonrpc: '2.0', id: 1, error }, result(0, '0x1')]));
    };
    const client = clientOf({ url });
    const calls = ['a', 'b'].map((method) => ({ method, params: [] }));
    const [first, second] = await client.requestAll(calls);
    assert.deepEqual(first, { status: 'fulfilled', value: '0x1' });
    assert.ok(second?.status === 'rejected' && second.reason instanceof RpcError);
    const { code, message, data } = second.reason;
    assert.deepEqual(
      { code, message, data },
      { code: 3, message: 'no <endpoint>', data: '0xabcd' },
    );
    await client.close();
  });

  it('sends no call twice, and all of many', async () => {
    const asked: number[] = [];
    engine = (body, socket) => {
      const calls = JSON.parse(body) as { id: number; params: number[] }[];
      asked.push(...calls.map(({ params }) => params[0] ?? NaN));
      respond(socket, JSON.stringify(calls.map(({ id, params }) => result(id, params[0]))));
    };
    const client = clientOf({ url });
    const numbers = Array.from({ length: 120 }, (_, i) => i);
    const outcomes = await client.requestAll(numbers.map((i) => ({ method: 'n', params: [i] })));
    assert.deepEqual(
      outcomes.map((one) => one.status === 'fulfilled' && one.value),
      numbers,
    );
    assert.deepEqual(
      asked.sort((a, b) => a - b),
      numbers,
    );
    await client.close();
  });

  it('executes a list with a change or a send in its order, wherever it is split', async () => {
    for (const method of ['anvil_setStorageAt', 'eth_sendRawTransaction']) {
      for (const length of [2, 49, 50, 51, 52, 99, 100, 101, 102, 151, 801]) {
        const executed: unknown[] = [];
        let open = 0;
        const send = (message: string, reader: AnswerReader): void => {
          open++;
          assert.equal(open, 1, `${method} in ${length}: a message before the answer to another`);
          const calls = [JSON.parse(message)].flat() as { id: number; params: unknown[] }[];
          executed.push(...calls.map(({ params }) => params[0]));
          const answers = calls.map(({ id, params }) => result(id, params[0]));
          setImmediate(() => {
            open--;
            reader.onStart({ pause: () => undefined, resume: () => undefined });
            reader.onPiece(Buffer.from(JSON.stringify(calls.length === 1 ? answers[0] : answers)));
            reader.onEnd();
          });
        };
        const client = new EngineClient({ url: 'http://127.0.0.1:1', send });
        const list = Array.from({ length }, (_, i) => ({
          method: i === length - 2 ? method : 'debug_traceCall',
          params: [i],
        }));
        const outcomes = await client.requestAll(list);
        const places = list.map((_, i) => i);
        assert.deepEqual(executed, places, `${method} in ${length}`);
        assert.deepEqual(
          outcomes.map((one) => one.status === 'fulfilled' && one.value),
          places,
        );
      }
    }
  });

  it('sends many reads in several messages at a time', async () => {
    const answers: (() => void)[] = [];
    engine = (body, socket) => {
      const calls = JSON.parse(body) as { id: number }[];
      answers.push(() => {
        respond(socket, JSON.stringify(calls.map(({ id }) => result(id, 'read'))));
      });
      if (answers.length === 3) for (const answer of answers) answer();
    };
    const client = clientOf({ url });
    const reads = Array.from({ length: 120 }, (_, i) => ({ method: 'eth_getCode', params: [i] }));
    assert.equal((await client.requestAll(reads)).length, 120);
    await client.close();
  });

  it('sends a call that the engine could not read again, unless it would change places with an effect', async () => {
    const asked: string[] = [];
    const unread = { code: -32602, message: 'data did not match any variant of untagged enum X' };
    engine = (body, socket) => {
      const message = JSON.parse(body) as { id: number; method: string } | object[];
      if (!Array.isArray(message)) {
        asked.push((message as { method: string }).method);
        respond(socket, JSON.stringify(result(0, 'read')));
        return;
      }
      const answers = (message as { id: number; params: unknown[] }[]).map(({ id, params }) =>
        params[0] === 'unread' ? { jsonrpc: '2.0', id, error: unread } : result(id, 'at once'),
      );
      respond(socket, JSON.stringify(answers));
    };
    const client = clientOf({ url });
    const outcomeOf = async (...calls: [method: string, param?: string][]): Promise<unknown[]> =>
      (await client.requestAll(calls.map(([method, param]) => ({ method, params: [param] })))).map(
        (one) => (one.status === 'fulfilled' ? one.value : (one.reason as RpcError).code),
      );
    const read: [string, string] = ['debug_traceCall', 'unread'];
    assert.deepEqual(await outcomeOf(['anvil_setCode'], read, ['eth_getCode']), [
      'at once',
      'read',
      'at once',
    ]);
    assert.deepEqual(await outcomeOf(read, ['anvil_setCode']), [-32602, 'at once']);
    assert.deepEqual(await outcomeOf(['anvil_setCode', 'unread'], read), [-32602, 'read']);
    assert.deepEqual(await outcomeOf(['eth_getCode'], ['anvil_setCode', 'unread']), [
      'at once',
      'read',
    ]);
    assert.deepEqual(asked, ['debug_traceCall', 'debug_traceCall', 'anvil_setCode']);
    await client.close();
  });

  it('says when the engine could not read its chain', async () => {
    const message = `failed to get account for 0x77: error sending request for url (${url}/secret-path)`;
    engine = (_, socket) => {
      const error = { code: -32603, message };
      respond(socket, JSON.stringify({ jsonrpc: '2.0', id: 0, error }));
    };
    const client = clientOf({ url, chain: 'chain eth' });
    await assert.rejects(client.request('a', []), {
      kind: 'upstreamUnreachable',
      message: "the fork's engine could not read chain eth; try again",
    });
    await client.close();
  });

  for (const [what, answer, reason] of [
    ['another status', 'HTTP/1.1 413 Payload Too Large\r\nContent-Length: 0\r\n\r\n', '413'],
    ['no JSON', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{', 'JSON'],
  ] as const) {
    it(`refuses an answer with ${what}, and goes on`, async () => {
      let count = 0;
      engine = (_, socket) => {
        if (++count === 1) socket.write(answer);
        else respond(socket, JSON.stringify(result(0, 'well')));
      };
      const client = clientOf({ url });
      await assert.rejects(client.request('a', []), (error: Error) => {
        assert.equal((error as { kind?: unknown }).kind, 'engineUnavailable');
        assert.match(String(error.cause), new RegExp(reason));
        return true;
      });
      assert.equal(await client.request('b', []), 'well');
      await client.close();
    });
  }

  it('fails what an engine does not answer to the end', async () => {
    engine = (_, socket) => {
      socket.end('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n{');
    };
    const client = clientOf({ url });
    await assert.rejects(client.request('a', []), EngineEndedError);
    await client.close();
    await assert.rejects(client.request('a', []), EngineEndedError);
  });

  it('says why it cannot connect, to each that waits', async () => {
    const connect = (): Promise<never> => Promise.reject(new Error('no way in'));
    const client = clientOf({ url, connect });
    const asked = ['a', 'b', 'c'].map((method) => client.request(method, []));
    for (const one of asked) {
      await assert.rejects(one, (error: Error) => String(error.cause).includes('no way in'));
    }
    await client.close();
  });
});
