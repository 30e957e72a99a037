import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { endTogether } from '../../../../server/kernel/streams/end-together';

describe('answers that end together', () => {
  let server: Server;
  let responses: ServerResponse[];
  let sockets: Socket[];
  beforeEach(async () => {
    [responses, sockets] = [[], []];
    server = createServer((request, response) => {
      response.setHeader('Content-Length', 1);
      responses.push(response);
      if (request.url === '/last') server.emit('asked');
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });

  const open = async (): Promise<Socket> => {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    sockets.push(socket);
    await once(socket, 'connect');
    return socket;
  };
  const request = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
  const bodiesOf = async (socket: Socket, count: number): Promise<string[]> => {
    let text = '';
    const bodies = (): string[] => [...text.matchAll(/\r\n\r\n(.)/g)].map(([, body]) => body ?? '');
    while (bodies().length < count) text += String((await once(socket, 'data'))[0]);
    return bodies();
  };

  it('keep the order of requests on one connection', async () => {
    const socket = await open();
    const asked = once(server, 'asked');
    socket.write(request('/') + request('/') + request('/last'));
    await asked;
    for (const index of [2, 0, 1]) endTogether(responses[index]!, String(index));
    assert.deepEqual(await bodiesOf(socket, 3), ['0', '1', '2']);
  });

  it('reach the others if a client has left', async () => {
    const [leaving, staying] = [await open(), await open()];
    const asked = once(server, 'asked');
    leaving.write(request('/last'));
    await asked;
    const again = once(server, 'asked');
    staying.write(request('/last'));
    await again;
    const left = once(responses[0]!, 'close');
    leaving.destroy();
    await left;
    responses.forEach((response, index) => {
      endTogether(response, String(index));
    });
    assert.deepEqual(await bodiesOf(staying, 1), ['1']);
  });
});
