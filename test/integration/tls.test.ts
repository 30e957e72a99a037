import assert from 'node:assert/strict';
import { once } from 'node:events';
import { copyFile, rename, writeFile } from 'node:fs/promises';
import { request as httpsRequest } from 'node:https';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { connect as connectTls } from 'node:tls';
import WebSocket from 'ws';
import type { Fork } from '../../server/api/fork';
import type { Project } from '../../server/api/project';
import { makeCertificate, tlsArguments, type TestCertificate } from '../support/certificates';
import { eventually } from '../support/eventually';
import { spawnBundle, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const CHAIN_ID = '{"jsonrpc":"2.0","id":1,"method":"eth_chainId"}';

describe('a service with a certificate', () => {
  let folder: string;
  let certificate: TestCertificate;
  let service: TestService;
  before(async () => {
    folder = await makeTemporaryDirectory();
    certificate = makeCertificate(folder);
    service = await startService({ args: [...tlsArguments(certificate), '--sandbox'] });
  });
  after(async () => {
    await service.stop();
    await removeDirectory(folder);
  });
  /** A request that trusts this certificate alone. */
  const ask = async (url: string, body?: string, ca = certificate.cert): Promise<string> => {
    const headers = { 'Access-Key': service.key, 'Content-Type': 'application/json' };
    const method = body === undefined ? 'GET' : 'POST';
    const request = httpsRequest(url, { method, headers, ca, agent: false });
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    return text(response);
  };
  const dataOf = async <T>(path: string, body?: string): Promise<T> =>
    (JSON.parse(await ask(service.url + path, body)) as { data: T }).data;
  const createFork = async (): Promise<Fork> => {
    const [project] = await dataOf<Project[]>('/v1/projects');
    const body = JSON.stringify({ chainId: 31337, name: 'test' });
    return dataOf<Fork>(`/v1/project/${project!.projectId}/fork`, body);
  };
  const servedCommonName = async (): Promise<string> => {
    const socket = connectTls({
      host: '127.0.0.1',
      port: Number(new URL(service.url).port),
      rejectUnauthorized: false,
    });
    await once(socket, 'secureConnect');
    const { subject } = socket.getPeerCertificate();
    socket.destroy();
    return String(subject.CN);
  };

  it('speaks HTTPS: REST, JSON-RPC and WebSockets', async () => {
    assert.match(service.url, /^https:\/\/127\.0\.0\.1:\d+$/);
    const fork = await createFork();
    assert.ok(fork.rpc.startsWith(`${service.url}/rpc/`));
    assert.equal(
      (JSON.parse(await ask(fork.rpc, CHAIN_ID)) as { result: string }).result,
      '0x7a69',
    );
    const socket = new WebSocket(fork.rpc.replace('https', 'wss'), { ca: certificate.cert });
    await once(socket, 'open');
    socket.send(CHAIN_ID);
    const [answer] = (await once(socket, 'message')) as [Buffer];
    assert.equal((JSON.parse(answer.toString()) as { result: string }).result, '0x7a69');
    socket.terminate();
  });

  it('serves clients that ask for HTTP/2 with their first request', async () => {
    const request = httpsRequest(`${service.url}/health`, {
      ca: certificate.cert,
      agent: false,
      headers: { Connection: 'Upgrade, HTTP2-Settings', Upgrade: 'h2c', 'HTTP2-Settings': 'AA' },
    });
    request.end();
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    assert.equal(response.statusCode, 200);
    response.resume();
  });

  it('does not answer plain HTTP', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1');
    socket.end('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n');
    assert.ok(!(await text(socket)).includes('"status"'));
  });

  it('is found by commands that trust the certificate', async () => {
    const env = { NODE_EXTRA_CA_CERTS: certificate.certFile };
    const args = ['project', 'list', '--json', '--data-dir', service.dataDir];
    const { exited, stdout, stderr } = spawnBundle('cli.js', args, { env });
    assert.equal((await exited).code, 0, stderr.join('\n'));
    assert.equal((JSON.parse(stdout.join('')) as Project[]).length, 1);
  });

  it('holds its data directory against a service that does not trust the certificate', async () => {
    const args = ['--port', '0', '--data-dir', service.dataDir];
    const { exited, stderr } = spawnBundle('server.js', args);
    assert.equal((await exited).code, 3);
    assert.match(stderr.join('\n'), /is in use by process/);
  });

  it('uses a new certificate as soon as the files have it, and keeps the old one if they are broken', async () => {
    assert.equal(await servedCommonName(), 'service');
    const renewed = makeCertificate(folder, 'renewed');
    const { certFile, keyFile } = certificate;
    const replace = async (from: string, to: string): Promise<void> => {
      await copyFile(from, join(folder, 'next'));
      await rename(join(folder, 'next'), to);
    };
    const logged = (message: string): Promise<void> =>
      eventually(() => {
        assert.ok(
          service.stderr.some((line) => line.includes(message)),
          message,
        );
      });
    await replace(renewed.certFile, certFile);
    await logged('is not the key of the certificate');
    assert.equal(await servedCommonName(), 'service');
    await replace(renewed.keyFile, keyFile);
    await eventually(async () => {
      assert.equal(await servedCommonName(), 'renewed');
    });
    await writeFile(keyFile, 'not a key');
    await logged('has no usable private key');
    assert.equal(await servedCommonName(), 'renewed');
    assert.ok(!service.stderr.some((line) => line.includes('not a key\\n')));
    assert.match(await ask(`${service.url}/health`, undefined, renewed.cert), /"status":"ok"/);
    await replace(renewed.keyFile, keyFile);
  });

  const refused: [string, (pair: TestCertificate) => string[], RegExp][] = [
    ['without a key', ({ certFile }) => ['--tls-cert', certFile], /--tls-cert needs --tls-key/],
    [
      'without a certificate',
      ({ keyFile }) => ['--tls-key', keyFile],
      /needs --tls-cert \(FORKLENS_TLS_CERT\)/,
    ],
    [
      'with a file that does not exist',
      ({ keyFile }) => ['--tls-cert', '/nowhere.crt', '--tls-key', keyFile],
      /--tls-cert cannot be read: ENOENT.*\/nowhere\.crt/,
    ],
    [
      'with files in the wrong order',
      ({ certFile, keyFile }) => ['--tls-cert', keyFile, '--tls-key', certFile],
      /--tls-cert: .*\.key has no usable certificate in PEM format/,
    ],
    [
      'with the key of another certificate',
      ({ certFile }) => [
        '--tls-cert',
        certFile,
        '--tls-key',
        makeCertificate(folder, 'other').keyFile,
      ],
      /--tls-key: .*other\.key is not the key of the certificate in /,
    ],
  ];
  for (const [what, argumentsOf, message] of refused) {
    it(`does not start ${what}`, async () => {
      const pair = makeCertificate(folder, 'refused');
      const args = ['--port', '0', '--data-dir', folder, ...argumentsOf(pair)];
      const { exited, stderr } = spawnBundle('server.js', args);
      assert.equal((await exited).code, 2);
      assert.match(stderr.join('\n'), message);
      assert.ok(!stderr.join('\n').includes('BEGIN'));
    });
  }
});
