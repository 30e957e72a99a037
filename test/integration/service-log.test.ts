import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const SERVER = join(__dirname, '../../dist/server.js');
/** Makes each line of the log longer, so that fewer requests fill what may wait for a reader (1 MiB). */
const LONG_ID = 'a'.repeat(128);

describe('the log of the service', () => {
  let dataDir: string;
  let child: ChildProcess;
  beforeEach(async () => {
    dataDir = await makeTemporaryDirectory();
  });
  afterEach(async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    await removeDirectory(dataDir);
  });

  async function start(stderr: number | 'pipe'): Promise<string> {
    const args = [SERVER, '--port', '0', '--data-dir', dataDir];
    child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', stderr] });
    const [line] = (await once(createInterface(child.stdout!), 'line')) as [string];
    return (JSON.parse(line) as { url: string }).url;
  }

  async function ask(url: string, times: number): Promise<void> {
    for (let i = 0; i < times; i += 50) {
      const answers = Array.from({ length: 50 }, async () => {
        const answer = await fetch(`${url}/v1/projects`, { headers: { 'x-request-id': LONG_ID } });
        assert.equal(((await answer.json()) as { code: number }).code, 40100);
      });
      await Promise.all(answers);
    }
  }

  it('does not block the service if it is not read, and reports the dropped lines', async function () {
    this.timeout(60_000);
    const url = await start('pipe');
    await ask(url, 5_000);
    const read = text(child.stderr!);
    // The test reads the log again, so the service writes lines again.
    await ask(url, 50);
    child.kill('SIGTERM');
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 0);
    const lines = (await read).trim().split('\n');
    const facts = lines.map((line) => JSON.parse(line) as { dropped?: number; msg: string });
    const dropped = facts.reduce((sum, one) => sum + (one.dropped ?? 0), 0);
    assert.ok(dropped > 0);
    const requests = facts.filter(({ msg }) => msg === 'request').length;
    assert.equal(requests + dropped, 5_050);
  });

  it('blocks neither the service nor its stop if its disk is full', async () => {
    const full = await open('/dev/full', 'w');
    try {
      const url = await start(full.fd);
      await ask(url, 500);
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
    } finally {
      await full.close();
    }
  });

  it('does not delay the stop of a service if it is not read', async () => {
    await ask(await start('pipe'), 2_000);
    child.kill('SIGTERM');
    assert.deepEqual(await once(child, 'exit'), [0, null]);
  });
});
