import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { AnswerReader, PausableAnswer } from '../../../../server/evm/forms/engine';
import { EngineConnections } from '../../../../server/chains/engine/engine-connections';
import { socketFolder } from '../../../../server/chains/engine/socket-folder';
import { UnlessUnread } from '../../../../server/chains/engine/unread-message';
import { SocketConnections } from '../../../../server/chains/engine/socket-connections';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';

interface Sender {
  send: (...message: Parameters<EngineConnections['send']>) => unknown;
}

/** Sends a message. @returns the pieces of the answer */
const ask = (connections: Sender, message: string, calls?: number): Promise<string[]> =>
  new Promise((resolve, reject) => {
    const pieces: string[] = [];
    let starts = 0;
    const isSent = connections.send(
      message,
      {
        onStart: () => starts++,
        onPiece: (piece) => pieces.push(piece.toString()),
        onEnd: () => {
          assert.equal(starts, 1);
          resolve(pieces);
        },
        onError: reject,
      },
      calls,
    );
    if (isSent === false) reject(new Error('not sent'));
  });

async function failing(asked: readonly Promise<unknown>[]): Promise<void> {
  await Promise.all(asked.map((one) => assert.rejects(one, /closed the connection/)));
}

describe('connections to an engine over its Unix socket', () => {
  let folder: string;
  let path: string;
  let server: Server;
  let sockets: Socket[];
  let answer: (message: string, socket: Socket) => void;

  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    path = join(folder, 'engine.ipc');
    sockets = [];
    answer = (message, socket) => socket.write(`"${message}"\n`);
    server = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      socket.on('data', (bytes) => {
        answer(bytes.toString(), socket);
      });
    });
    server.listen(path);
    await once(server, 'listening');
  });
  afterEach(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await removeDirectory(folder);
  });

  it('use one connection for messages one after the other, and more for messages at a time, up to a limit', async () => {
    const connections = new SocketConnections(path);
    for (const message of ['a', 'b', 'c']) {
      assert.deepEqual(await ask(connections, message), [`"${message}"`]);
    }
    assert.equal(sockets.length, 1);
    const messages = Array.from({ length: 64 }, (_, i) => `message ${i}`);
    const asked = messages.map((message) => ask(connections, message));
    await assert.rejects(ask(connections, 'one more'), /not sent/);
    assert.deepEqual(
      (await Promise.all(asked)).flat(),
      messages.map((message) => `"${message}"`),
    );
    assert.equal(sockets.length, 64);
    connections.close();
  });

  it('pass on an answer in pieces, without its line end', async () => {
    answer = (_, socket) => {
      const pieces = ['["one",', '"two"', ']', '\n'];
      const next = (): void => {
        const piece = pieces.shift();
        if (piece !== undefined) socket.write(piece, () => setImmediate(next));
      };
      next();
    };
    const connections = new SocketConnections(path);
    assert.equal((await ask(connections, 'x')).join(''), '["one","two"]');
    assert.equal((await ask(connections, 'y')).join(''), '["one","two"]');
    connections.close();
  });

  it('stop reading an answer while its reader pauses', async () => {
    const long = 'x'.repeat(4 * 1024 * 1024);
    answer = (_, socket) => socket.write(`"${long}"\n`);
    const connections = new SocketConnections(path);
    let length = 0;
    await new Promise<void>((resolve, reject) => {
      connections.send('x', {
        onStart: (paused) => {
          paused.pause();
          // The first piece was read before.
          setImmediate(() => {
            assert.ok(length < long.length / 2, `${length} bytes were read`);
            paused.resume();
          });
        },
        onPiece: (piece) => (length += piece.length),
        onEnd: resolve,
        onError: reject,
      });
    });
    assert.equal(length, long.length + 2);
    connections.close();
  });

  it('fail messages that the engine does not answer to the end, and connect again', async () => {
    answer = (_, socket) => socket.end('{"half":');
    const connections = new SocketConnections(path);
    await failing(['a', 'b'].map((message) => ask(connections, message)));
    answer = (message, socket) => socket.write(`"${message}"\n`);
    assert.deepEqual(await ask(connections, 'c'), ['"c"']);
    connections.close();
  });

  it('fail messages under way and later ones after they are closed', async () => {
    answer = () => undefined;
    const connections = new SocketConnections(path);
    const asked = ['a', 'b'].map((message) => ask(connections, message));
    connections.close();
    await failing(asked);
    await assert.rejects(ask(connections, 'c'), /not sent/);
  });

  it('fail a message if there is no socket', async () => {
    const connections = new SocketConnections(join(folder, 'missing.ipc'));
    await assert.rejects(ask(connections, 'a'), { code: 'ENOENT' });
    connections.close();
  });

  it('are not paused by the reader of an earlier answer', async () => {
    const connections = new SocketConnections(path);
    let earlier: PausableAnswer | undefined;
    await new Promise<void>((resolve, reject) => {
      connections.send('a', {
        onStart: (answer) => (earlier = answer),
        onPiece: () => undefined,
        onEnd: resolve,
        onError: reject,
      });
    });
    const asked = ask(connections, 'b');
    earlier?.pause();
    assert.deepEqual(await asked, ['"b"']);
    connections.close();
  });

  it('carry short messages; long ones, long batches, and those beyond the limit, are sent over HTTP', async () => {
    const http = createServer((socket) => {
      sockets.push(socket);
      let received = 0;
      socket.on('data', (bytes) => {
        received += bytes.length;
        if (received > 64 * 1024 || bytes.toString().endsWith('beyond')) {
          received = 0;
          socket.write('HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\n"http"');
        }
      });
    });
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
    const { port } = http.address() as { port: number };
    const connections = new EngineConnections({ url: `http://127.0.0.1:${port}`, socket: path });
    assert.deepEqual(await ask(connections, 'a'), ['"a"']);
    assert.deepEqual(await ask(connections, 'a'.repeat(64 * 1024 + 1)), ['"http"']);
    assert.deepEqual(await ask(connections, '16 calls', 16), ['"16 calls"']);
    assert.deepEqual(await ask(connections, '17 calls beyond', 17), ['"http"']);
    const waiting = Array.from({ length: 64 }, () => ask(connections, 'a'));
    assert.deepEqual(await ask(connections, 'beyond'), ['"http"']);
    assert.equal((await Promise.all(waiting)).length, 64);
    await connections.close();
    http.close();
  });
});

describe('a message that an engine cannot read over its socket', () => {
  const UNREAD = '{"error":{"message":"data did not match any variant of untagged enum X"}}';

  /** Reads pieces through a reader of the socket. @returns what reached the reader behind it, in order */
  function through(pieces: readonly string[], error?: Error): string[] {
    const seen: string[] = [];
    const reader: AnswerReader = {
      onStart: () => seen.push('start'),
      onPiece: (piece) => seen.push(piece.toString()),
      onEnd: () => seen.push('end'),
      onError: ({ message }) => seen.push(message),
    };
    const guarded = new UnlessUnread(reader, () => seen.push('again'));
    guarded.onStart({ pause: () => undefined, resume: () => undefined });
    for (const piece of pieces) guarded.onPiece(Buffer.from(piece));
    if (error) guarded.onError(error);
    else guarded.onEnd();
    return seen;
  }

  it('is sent again, and its answer is not passed on', () => {
    assert.deepEqual(through([UNREAD]), ['again']);
  });

  it('is known by a short answer in one piece', () => {
    const long = UNREAD + ' '.repeat(600);
    for (const pieces of [['"0x1"'], ['["a",', '"b"]'], [long], [UNREAD, ' '], [long, UNREAD]]) {
      assert.deepEqual(through(pieces), ['start', ...pieces, 'end']);
    }
  });

  it('is not sent again if the engine ends', () => {
    assert.deepEqual(through([UNREAD], new Error('closed')), ['closed']);
  });
});

describe('the folder of the Unix sockets of engines', () => {
  let parent: string;
  beforeEach(async () => {
    parent = await makeTemporaryDirectory();
  });
  afterEach(() => removeDirectory(parent));

  it('is emptied, can be entered by its user only, and gives a new path each time', async () => {
    const folder = join(parent, 'sockets');
    await mkdir(folder);
    await writeFile(join(folder, 'left.ipc'), '');
    const newPath = await socketFolder(folder);
    assert.ok(newPath);
    assert.deepEqual(await readdir(folder), []);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    assert.ok(newPath().startsWith(`${folder}/`));
    assert.notEqual(newPath(), newPath());
  });

  it('is not used if its paths are too long for sockets, or the system has none', async () => {
    assert.equal(await socketFolder(join(parent, 'x'.repeat(100))), undefined);
    assert.equal(await socketFolder(join(parent, 'sockets'), 'win32'), undefined);
    assert.deepEqual(await readdir(parent), []);
  });
});
