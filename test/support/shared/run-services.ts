import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PostgresCluster } from '../postgres';
import { startProcess, type TestService } from '../service';

/**
 * What the test files of a run share: the sandbox's service, one for each process that runs files, and one PostgreSQL cluster. They
 * start when the first file asks for them, in the process that mocha was started in, and end with the run. Files ask over HTTP at the
 * address in the environment variable `TEST_SERVICES`.
 */
const sandboxes = new Map<string, Promise<TestService>>();
let cluster: Promise<PostgresCluster> | undefined;
let server: Server | undefined;

export async function mochaGlobalSetup(): Promise<void> {
  if (process.env['TEST_SERVICES'] !== undefined) return; // those of the run that this one is part of
  server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const asked = pathname === '/postgres' ? postgres() : sandbox(searchParams.get('worker') ?? '');
    asked.then(
      (answer) => {
        send(response, 200, answer);
      },
      (error: unknown) => {
        send(response, 500, { message: String(error) });
      },
    );
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.env['TEST_SERVICES'] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export async function mochaGlobalTeardown(): Promise<void> {
  server?.close();
  server?.closeAllConnections();
  const ended = [...sandboxes.values()].map(async (starting) => (await starting).stop());
  await Promise.allSettled([...ended, cluster?.then((one) => one.close())]);
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

async function sandbox(worker: string): Promise<object> {
  const starting = sandboxes.get(worker) ?? startSandbox();
  sandboxes.set(worker, starting);
  const { url, key, dataDir } = await starting;
  return { url, key, dataDir };
}

function startSandbox(): Promise<TestService> {
  // As in `count-no-children.mjs`, whose hooks run in the processes of the test files.
  const coverage = process.env['NODE_V8_COVERAGE'];
  if (coverage !== undefined) process.env['COVERAGE_OF_SERVICES'] ??= coverage;
  return startProcess({ counted: true, args: ['--sandbox'] });
}

async function postgres(): Promise<object> {
  // The services of two files at a time, each with a pool of connections.
  cluster ??= PostgresCluster.start('max_connections=300');
  const { folder, bin, owner } = await cluster;
  return { folder, bin, owner };
}
