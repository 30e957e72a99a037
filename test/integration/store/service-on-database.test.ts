import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fork } from '../../../server/api/fork';
import { eventually } from '../../support/eventually';
import { call, reply } from '../../support/json-rpc';
import {
  createFork,
  localProject,
  spawnBundle,
  startService,
  type TestService,
} from '../../support/service';
import { describeWith } from '../../support/programs';
import { useOwnPostgres } from '../../support/storages';
import { makeTemporaryDirectory, removeDirectory } from '../../support/temporary-directory';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';

describeWith(['initdb'], 'a service on a database', function () {
  this.timeout(120_000);
  const cluster = useOwnPostgres();
  let database: string;
  let service: TestService | undefined;
  beforeEach(async () => {
    database = await cluster().createDatabase();
  });
  const folders: string[] = [];
  const folder = async (): Promise<string> => {
    const made = await makeTemporaryDirectory();
    folders.push(made);
    return made;
  };
  afterEach(async () => {
    await service?.stop();
    service = undefined;
    await Promise.all(folders.splice(0).map(removeDirectory));
  });

  const start = async (dataDir?: string): Promise<TestService> => {
    service = await startService({
      args: ['--sandbox', '--lease-seconds', '3'],
      env: { FORKLENS_DATABASE_URL: cluster().urlOf(database) },
      ...(dataDir === undefined ? {} : { dataDir }),
    });
    return service;
  };
  const send = (fork: Fork): Promise<string> =>
    call(fork.rpc, 'eth_sendTransaction', { from: ALICE, to: ALICE, value: '0x1' });
  const head = (fork: Fork): Promise<string> => call(fork.rpc, 'eth_blockNumber');
  const forksOf = async (running: TestService): Promise<Fork[]> => {
    const project = await localProject(running);
    return (await running.request<Fork[]>('GET', `/v1/project/${project}/forks`)).data;
  };

  it('keeps forks and their changes through kill -9, and wakes them with another data directory', async () => {
    const first = await start();
    const fork = await createFork(first, { chainId: 31337 });
    const hash = await send(fork);
    const receipt = await call(fork.rpc, 'eth_getTransactionReceipt', hash);
    await first.kill();

    const second = await start();
    // The list reads the journal, though the killed service still has the lease.
    const [again] = await forksOf(second);
    assert.equal(again?.forkId, fork.forkId);
    assert.equal(again.transactionCount, 1);
    const project = await second.request<{ stats: object }>(
      'GET',
      `/v1/project/${await localProject(second)}`,
    );
    assert.deepEqual(project.data.stats, {
      dailyTransactionQuantity: 1,
      monthlyTransactionQuantity: 1,
    });
    // The killed service has the lease for a while.
    const { error, result } = await eventually(async () => {
      const answer = await reply(again.rpc, 'eth_getTransactionReceipt', hash);
      assert.doesNotMatch(answer.error?.message ?? '', /another node runs fork/);
      return answer;
    });
    assert.deepEqual([error, result], [undefined, receipt]);
  });

  it('shows the URL of the database to no other process and in no log', async () => {
    const url = cluster().urlOf(database);
    service = await startService({ args: ['--database', url, '--sandbox'] });
    await createFork(service, { chainId: 31337 });
    const { pid } = service.child;
    assert.doesNotMatch(await readFile(`/proc/${pid}/cmdline`, 'utf8'), /pa55word|postgres:/);
    const engines = (await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ');
    assert.ok(engines.length > 0);
    for (const child of engines) {
      assert.doesNotMatch(await readFile(`/proc/${child}/environ`, 'utf8'), /pa55word/);
    }
    assert.doesNotMatch(service.stderr.join('\n'), /pa55word/);
  });

  it('answers 503 with Retry-After during an outage, and again as before afterwards', async () => {
    const running = await start();
    const fork = await createFork(running, { chainId: 31337 });
    const hash = await send(fork);
    const before = await head(fork);
    const events = await fetch(`${running.url}/v1/events`, {
      headers: { 'Access-Key': running.key },
    });
    await cluster().stop('SIGQUIT');

    const answer = await running.request('GET', '/v1/projects');
    assert.equal(answer.status, 503);
    assert.equal(answer.code, 50303);
    assert.match(answer.message, /^the database of the service does not answer/);
    assert.doesNotMatch(answer.message, /pa55word|postgres:|\/tmp/);
    assert.equal(answer.headers.get('retry-after'), '2');
    // Whether the caller sees the fork is unknown now, so it is not reported as missing.
    const analysis = `/v1/explorer/${fork.forkId}/transaction/${hash}/balance-change`;
    assert.equal((await running.request('GET', analysis)).code, 50303);
    const { status, retryAfter, body } = await post(fork.rpc);
    assert.equal(status, 200);
    assert.equal(retryAfter, '2');
    assert.equal(body.error?.code, -32002);

    // A fork whose lease runs out reports that it sleeps, to clients whose projects cannot be read.
    await eventually(() => {
      assert.match(running.stderr.join('\n'), /clients were not notified/);
    });
    await cluster().resume();
    assert.equal((await running.request('GET', '/v1/projects')).status, 200);
    assert.equal(await head(fork), before, 'the refused transaction is not there');
    await send(fork);
    assert.equal(Number(await head(fork)), Number(before) + 1);
    assert.doesNotMatch(running.stderr.join('\n'), /pa55word/);
    await events.body?.cancel();
  });

  it('finds nothing under ids with characters that the database cannot store', async () => {
    const running = await start();
    for (const id of ['%00', 'project_%00', '%ED%A0%80', "'"]) {
      const answer = await running.request('GET', `/v1/project/${id}`);
      assert.ok([40000, 40001, 40400, 40401].includes(answer.code), `${id}: ${answer.code}`);
    }
  });

  it('does not start on a database that it cannot use, and says why without the URL', async () => {
    const url = cluster().urlOf('missing');
    const { exited, stderr } = spawnBundle('server.js', ['--port', '0'], {
      env: { FORKLENS_DATABASE_URL: url, HOME: '/nonexistent', FORKLENS_DATA_DIR: await folder() },
    });
    assert.equal((await exited).code, 1);
    assert.match(stderr.join('\n'), /cannot use the database: there is no such database/);
    assert.doesNotMatch(stderr.join('\n'), /pa55word/);
    const wrong = spawnBundle('server.js', ['--database', 'mysql://ann:pa55word@host/x']);
    assert.equal((await wrong.exited).code, 2);
    assert.match(wrong.stderr.join('\n'), /--database or FORKLENS_DATABASE_URL is a hidden value/);
    assert.doesNotMatch(wrong.stderr.join('\n'), /pa55word/);
  });

  it('loads the client of the database from a bundle of its own, and only then', async () => {
    const built = (file: string) => readFile(join(__dirname, '../../../dist', file), 'utf8');
    const ofClient = 'SCRAM-SHA-256';
    assert.ok((await built('postgres.js')).includes(ofClient));
    for (const file of ['service.js', 'cli-local.js']) {
      const code = await built(file);
      assert.ok(code.includes('require("./postgres.js")'), file);
      assert.ok(!code.includes(ofClient), file);
    }
  });

  it('is administered with and without a running service', async () => {
    const dataDir = await folder();
    const env = { FORKLENS_DATABASE_URL: cluster().urlOf(database) };
    const cli = async (...words: string[]) => {
      const args = [...words, '--json', '--data-dir', dataDir];
      const { exited, stdout, stderr } = spawnBundle('cli.js', args, { env });
      assert.equal((await exited).code, 0, stderr.join('\n'));
      return JSON.parse(stdout.join('\n')) as unknown;
    };
    const names = async () =>
      ((await cli('user', 'list')) as { nickname: string }[]).map(({ nickname }) => nickname);
    await cli('user', 'add', '--nickname', 'Ada', '--email', 'ada@example.org');
    assert.deepEqual(await names(), ['Ada']);
    await start(dataDir);
    assert.deepEqual(await names(), ['Ada', 'local']);
  });
});

async function post(url: string) {
  const params = [{ from: ALICE, to: ALICE, value: '0x1' }];
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_sendTransaction', params }),
  });
  const body = (await response.json()) as { result?: string; error?: { code: number } };
  return { status: response.status, retryAfter: response.headers.get('retry-after'), body };
}
