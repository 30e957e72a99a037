import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import type { ServiceRecord } from '../../../../server/api/service-record';
import { DataDirectoryLock } from '../../../../server/store/directory/data-directory';
import { makeTemporaryDirectory, removeDirectory } from '../../../support/temporary-directory';

describe('DataDirectoryLock', () => {
  let directory: string;
  let server: Server;
  let url: string;
  /** A running process other than this one. */
  const livingPid = process.ppid;
  before(async () => {
    server = createServer((_request, response) => {
      response.end(JSON.stringify({ status: 'ok', version: '1.0.0', instance: 'answering' }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  beforeEach(async () => {
    directory = await makeTemporaryDirectory();
  });
  afterEach(() => removeDirectory(directory));

  const path = () => join(directory, 'service.json');
  const hold = (holder: Partial<ServiceRecord>) =>
    writeFile(
      path(),
      JSON.stringify({ pid: livingPid, url: null, instance: 'i', adminToken: 't', ...holder }),
    );
  const found = async () => JSON.parse(await readFile(path(), 'utf8')) as ServiceRecord;

  it('records the holder and its address, and removes all its files', async () => {
    const lock = await DataDirectoryLock.acquire(directory);
    assert.deepEqual(await found(), {
      pid: process.pid,
      url: null,
      instance: lock.instance,
      adminToken: lock.adminToken,
    });
    await lock.publish('http://127.0.0.1:1');
    assert.equal((await found()).url, 'http://127.0.0.1:1');
    await lock.release();
    assert.deepEqual(await readdir(directory), []);
  });

  it('respects a holder that answers or is starting', async () => {
    await hold({ url, instance: 'answering' });
    await assert.rejects(DataDirectoryLock.acquire(directory), {
      name: 'DirectoryInUseError',
      message: `the data directory ${directory} is in use by process ${livingPid} at ${url}`,
    });
    await hold({ url: null });
    await assert.rejects(DataDirectoryLock.acquire(directory), { name: 'DirectoryInUseError' });
    assert.deepEqual(await readdir(directory), ['service.json']);
  });

  it('respects a holder that withdraws its address and stops while it is asked', async () => {
    const stopping = createServer((request) => {
      void hold({ url: null }).then(() => request.socket.destroy());
    });
    stopping.listen(0, '127.0.0.1');
    await once(stopping, 'listening');
    await hold({ url: `http://127.0.0.1:${(stopping.address() as AddressInfo).port}` });
    await assert.rejects(DataDirectoryLock.acquire(directory), { name: 'DirectoryInUseError' });
    assert.equal((await found()).instance, 'i');
    stopping.close();
  });

  it('takes over from a dead process, and from one whose id was reused', async () => {
    const child = spawn(process.execPath, ['-e', '']);
    await once(child, 'exit');
    const stale: Partial<ServiceRecord>[] = [
      { pid: child.pid! },
      { pid: child.pid!, url, instance: 'answering' },
      { url, instance: 'another' },
      { url: 'http://127.0.0.1:1' },
      { pid: process.pid },
    ];
    for (const holder of stale) {
      await hold(holder);
      const lock = await DataDirectoryLock.acquire(directory);
      assert.equal((await found()).instance, lock.instance);
      await lock.release();
      assert.deepEqual(await readdir(directory), []);
    }
  });

  it('takes over an empty file', async () => {
    await writeFile(path(), '');
    const lock = await DataDirectoryLock.acquire(directory);
    await lock.release();
    assert.deepEqual(await readdir(directory), []);
  });

  it('does not release the lock of another holder', async () => {
    const lock = await DataDirectoryLock.acquire(directory);
    await hold({});
    await lock.release();
    assert.equal((await found()).pid, livingPid);
  });
});
