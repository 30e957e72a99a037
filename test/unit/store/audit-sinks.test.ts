import assert from 'node:assert/strict';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { mkdir, readFile, rename, rmdir, stat } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import type { AuditEntry } from '../../../server/api/audit';
import { configSchema } from '../../../server/api/config';
import { AuditSinks } from '../../../server/store/audit/audit-sinks';
import { SinkQueue } from '../../../server/store/audit/sink-queue';
import { eventually } from '../../support/eventually';
import { makeTemporaryDirectory, removeDirectory } from '../../support/temporary-directory';

const entry = (id: string, code = 0): AuditEntry => ({
  id,
  time: '2026-01-02T03:04:05.678Z',
  action: 'createFork',
  actor: 'ann@example.org',
  address: '192.0.2.7',
  code,
});
const [first, second] = [entry('1'), entry('2', 40300)];

/** Header of RFC 5424, and the text. */
const MESSAGE =
  /^<(\d+)>1 2026-01-02T03:04:05\.678Z [\x21-\x7e]{1,255} forklens \d+ createFork - (.*)$/;
const parsed = (message: string): unknown[] => {
  const [, priority, text = ''] = MESSAGE.exec(message) ?? [];
  return [priority, JSON.parse(text)];
};
const BOTH = [
  ['110', first],
  ['108', second],
];

describe('copies of the audit log', () => {
  let folder: string;
  let warnings: [object, string][];
  let sinks: AuditSinks | undefined;
  beforeEach(async () => {
    folder = await makeTemporaryDirectory();
    warnings = [];
  });
  afterEach(async () => {
    await sinks?.close();
    await removeDirectory(folder);
  });
  const open = (audit: object): AuditSinks =>
    (sinks = new AuditSinks(configSchema.parse({ audit }).audit, (facts, message) =>
      warnings.push([facts, message]),
    ));

  it('are appended to a file, which may be renamed, and only its owner reads', async () => {
    const file = join(folder, 'audit.jsonl');
    open({ file }).write(first);
    await eventually(async () => {
      assert.equal(await readFile(file, 'utf8'), `${JSON.stringify(first)}\n`);
    });
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    await rename(file, `${file}.1`);
    sinks!.write(second);
    await eventually(async () => {
      assert.equal(await readFile(file, 'utf8'), `${JSON.stringify(second)}\n`);
    });
    assert.deepEqual(warnings, []);
  });

  it('are written once the file can be, with one warning before and one after', async () => {
    const file = join(folder, 'audit.jsonl');
    await mkdir(file);
    open({ file }).write(first);
    await eventually(() => {
      assert.equal(warnings.length, 1);
    });
    sinks!.write(second);
    await rmdir(file);
    await eventually(async () => {
      assert.equal(
        await readFile(file, 'utf8'),
        [first, second].map((one) => `${JSON.stringify(one)}\n`).join(''),
      );
      assert.equal(warnings.length, 2);
    });
    assert.deepEqual(
      warnings.map(([, message]) => message),
      ['the copy of the audit log cannot be written', 'the copy of the audit log is written again'],
    );
    assert.deepEqual(warnings[1]![0], { sink: file, lost: 0 });
  });

  it('go to a syslog server over UDP', async () => {
    const server = createSocket('udp4');
    server.bind(0, '127.0.0.1');
    await once(server, 'listening');
    try {
      const messages: string[] = [];
      server.on('message', (bytes) => messages.push(bytes.toString()));
      open({ syslog: `udp://127.0.0.1:${server.address().port}` }).write(first);
      sinks!.write(second);
      await eventually(() => {
        assert.deepEqual(messages.map(parsed), BOTH);
      });
    } finally {
      server.close();
    }
  });

  /** Texts that a server got, each with its length before it. */
  const unframed = (text: string): unknown[] => {
    const found: unknown[] = [];
    for (let rest = text; rest !== '';) {
      const [, length = ''] = /^(\d+) /.exec(rest) ?? [];
      const start = length.length + 1;
      found.push(parsed(rest.slice(start, start + Number(length))));
      rest = rest.slice(start + Number(length));
    }
    return found;
  };
  const listen = async (where: { port: number; host: string } | { path: string }) => {
    const received: { text: string; sockets: Socket[] } = { text: '', sockets: [] };
    const server: Server = createServer((socket) => {
      received.sockets.push(socket.on('error', () => undefined));
      socket.on('data', (bytes) => (received.text += bytes.toString()));
    }).listen(where);
    await once(server, 'listening');
    const close = (): void => {
      server.close();
      for (const socket of received.sockets) socket.destroy();
    };
    return { received, close, address: server.address() };
  };

  it('go over TCP, and over a new connection when one has ended', async () => {
    const { received, close, address } = await listen({ port: 0, host: '127.0.0.1' });
    try {
      open({ syslog: `tcp://127.0.0.1:${(address as AddressInfo).port}` }).write(first);
      await eventually(() => {
        assert.deepEqual(unframed(received.text), BOTH.slice(0, 1));
      });
      const ended = once(received.sockets[0]!, 'close');
      received.sockets[0]!.destroy();
      await ended;
      received.text = '';
      await eventually(() => {
        sinks!.write(second);
        assert.ok(received.sockets.length > 1);
      });
      await eventually(() => {
        assert.deepEqual(unframed(received.text)[0], BOTH[1]);
      });
    } finally {
      close();
    }
  });

  it('go over a socket of this machine', async () => {
    const path = join(folder, 'log');
    const { received, close } = await listen({ path });
    try {
      open({ syslog: `unix://${path}` }).write(first);
      sinks!.write(second);
      await eventually(() => {
        assert.deepEqual(unframed(received.text), BOTH);
      });
    } finally {
      close();
    }
  });

  it('wait in a bounded queue: of more, the oldest are lost', async () => {
    const sent: string[][] = [];
    let fail: ((error: Error) => void) | undefined;
    const lost: number[] = [];
    const queue = new SinkQueue(
      (texts) => {
        if (sent.push([...texts]) > 1) return Promise.resolve();
        return new Promise((_resolve, reject) => (fail = reject));
      },
      { failed: () => undefined, works: (count) => lost.push(count) },
      1,
    );
    for (let index = 0; index < 1_500; index++) queue.add(String(index));
    fail!(new Error('hung'));
    await eventually(() => {
      assert.deepEqual(lost, [500]);
    });
    assert.deepEqual([sent[1]!.length, sent[1]![0], sent[1]!.at(-1)], [1_000, '500', '1499']);
    await queue.close();
  });

  it('accept no other addresses', () => {
    for (const syslog of [
      'syslog',
      'http://host',
      'tcp://',
      'tcp://host/path',
      'udp://user@host',
      'unix://host/a',
      'unix:///',
    ]) {
      const { error } = configSchema.safeParse({ audit: { syslog } });
      assert.match(error?.issues[0]?.message ?? '', /udp:\/\/host:port/, syslog);
    }
    for (const syslog of ['udp://host', 'tcp://[::1]:601', 'unix:///run/log.sock']) {
      assert.equal(configSchema.parse({ audit: { syslog } }).audit.syslog, syslog);
    }
  });
});
