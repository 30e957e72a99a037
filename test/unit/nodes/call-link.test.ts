import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import type { AnswerShort } from '../../../server/fork-rpc/short-reads';
import { CallLink, type LinkedCall } from '../../../server/nodes/call-link';
import { CallLinkServer } from '../../../server/nodes/call-link-server';
import { currentTrace } from '../../../server/requests/request-trace';
import { eventually } from '../../support/eventually';

const SECRET = '1'.repeat(32);
const never = (): never => assert.fail('the call was not sent');
const callOf = (text: string): LinkedCall => ({
  ...{ secret: SECRET, text, client: '10.0.0.1', trace: { id: text } },
});

describe('calls of one node that another one executes', () => {
  let http: Server;
  let links: CallLinkServer;
  let link: CallLink;
  /** WebSockets that were opened. */
  let opened: WebSocket[];
  let answer: AnswerShort;
  /** Serves the WebSocket of the link. */
  let upgrade: (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

  beforeEach(async () => {
    opened = [];
    links = new CallLinkServer((call) => answer(call));
    upgrade = links.accept.bind(links);
    http = createServer().listen(0, '127.0.0.1');
    http.on('upgrade', (request, socket, head) => {
      upgrade(request, socket, head);
    });
    await once(http, 'listening');
    link = linkTo();
  });
  afterEach(async () => {
    link.close();
    await links.close();
    http.close();
  });

  const linkTo = (pingMs?: number): CallLink =>
    new CallLink(() => {
      const { port } = http.address() as AddressInfo;
      const socket = new WebSocket(`ws://127.0.0.1:${port}`);
      opened.push(socket);
      return socket;
    }, pingMs);
  /** The first call opens the WebSocket, and is not sent. */
  const open = async (): Promise<void> => {
    assert.equal(link.call(callOf('first'), never), false);
    await once(opened.at(-1)!, 'open');
  };
  const ask = (text: string): Promise<string | undefined> =>
    new Promise((resolve) => {
      assert.equal(link.call(callOf(text), resolve), true);
    });

  it('are answered, whatever is in their texts, and each by its own answer', async () => {
    const asked: unknown[] = [];
    answer = ({ secret, text, client }) => {
      asked.push([secret, client, currentTrace()?.id === text]);
      return text.length % 2 === 0 ? text : Promise.resolve(text);
    };
    await open();
    const texts = ['', 'a', '"]]\n[[', '\n', 'ä€😀', `${'x'.repeat(70_000)}\n`, '\\u0000\0', '[]'];
    assert.deepEqual(await Promise.all(texts.map(ask)), texts);
    assert.deepEqual(
      asked,
      texts.map(() => [SECRET, '10.0.0.1', true]),
    );
  });

  it('of one turn are sent together, and so are their answers', async () => {
    answer = ({ text }) => text;
    await open();
    const received: string[] = [];
    opened[0]!.on('message', (data: Buffer) => received.push(data.toString()));
    await Promise.all(['a', 'b', 'c'].map(ask));
    assert.deepEqual(received, ['[[1,1],[2,1],[3,1]]\nabc']);
  });

  it('are refused one by one', async () => {
    answer = ({ text }) => (text === 'yes' ? 'done' : undefined);
    await open();
    assert.deepEqual(await Promise.all(['no', 'yes', 'no'].map(ask)), [
      ...[undefined, 'done', undefined],
    ]);
  });

  it('are lost with the connection, which the next call opens again', async () => {
    answer = () => new Promise(() => undefined);
    await open();
    const lost = Promise.all(['a', 'b'].map(ask));
    await links.close();
    assert.deepEqual(await lost, [undefined, undefined]);
    links = new CallLinkServer(() => 'again');
    upgrade = links.accept.bind(links);
    await open();
    assert.equal(await ask('c'), 'again');
    assert.equal(opened.length, 2);
  });

  it('are not sent to a node without such connections, which is not asked again soon', async () => {
    upgrade = (_request, socket) => {
      socket.end('HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n');
    };
    assert.equal(link.call(callOf('first'), never), false);
    await new Promise((resolve) => opened[0]!.on('close', resolve));
    assert.equal(link.call(callOf('second'), never), false);
    assert.equal(opened.length, 1);
  });

  it('are not sent while too many are under way', async () => {
    const waiting: ((text: string) => void)[] = [];
    answer = () => new Promise((resolve) => waiting.push(resolve));
    await open();
    const answers = Array.from({ length: 256 }, (_, index) => ask(String(index)));
    assert.equal(link.call(callOf('one more'), never), false);
    const asked = (count: number) =>
      eventually(() => {
        assert.equal(waiting.length, count);
      });
    await asked(answers.length);
    for (const resolve of waiting.splice(0)) resolve('done');
    assert.deepEqual(new Set(await Promise.all(answers)), new Set(['done']));
    const later = ask('later');
    await asked(1);
    waiting[0]!('done');
    assert.equal(await later, 'done');
  });

  it('are lost when the node answers nothing any more, not even pings', async () => {
    const silent = new WebSocketServer({ noServer: true, autoPong: false });
    upgrade = (request, socket, head) => {
      silent.handleUpgrade(request, socket, head, () => undefined);
    };
    link = linkTo(10);
    await open();
    assert.equal(await ask('a'), undefined);
    silent.close();
  });

  it('wait for a node that answers pings', async () => {
    let resolve: (text: string) => void = never;
    answer = () => new Promise((done) => (resolve = done));
    link = linkTo(500);
    await open();
    const asked = ask('a');
    for (let pongs = 0; pongs < 2; pongs++) await once(opened[0]!, 'pong');
    resolve('done');
    assert.equal(await asked, 'done');
  });

  it('end with a connection on which something else comes', async () => {
    const strangers = new WebSocketServer({ noServer: true });
    upgrade = (request, socket, head) => {
      strangers.handleUpgrade(request, socket, head, (stranger) => {
        stranger.on('message', () => {
          stranger.send('hello');
        });
      });
    };
    await open();
    assert.equal(await ask('a'), undefined);
    strangers.close();
  });
});
