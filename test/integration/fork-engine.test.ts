import assert from 'node:assert/strict';
import { chmod, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findAnvil } from '../../server/chains/engine/binary';
import type { Fork } from '../../server/api/fork';
import { call, refusal } from '../support/json-rpc';
import { childrenOf, signalAll } from '../support/processes';
import { localProject, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

describe('an engine that is missing or crashes', () => {
  let engines: TestEngines;
  let folder: string;
  let anvil: string;
  /** The configured engine: a script written by the tests. */
  let binary: string;
  let service: TestService;
  let forks: string;
  before(async () => {
    engines = await testEngines();
    const upstream = await TestChain.start(engines.start);
    folder = await makeTemporaryDirectory();
    binary = join(folder, 'engine');
    anvil = (await findAnvil({})).path;
    const chain = ethChain(upstream.engine.url);
    service = await startService({ config: { chains: [chain], engine: { anvilPath: binary } } });
    forks = `/v1/project/${await localProject(service)}/fork`;
  });
  after(async () => {
    await service.stop();
    await engines.close();
    await removeDirectory(folder);
  });

  async function install(script: string): Promise<void> {
    await writeFile(binary, `#!/bin/sh\n${script}\n`);
    await chmod(binary, 0o755);
  }
  const works = () => install(`exec ${anvil} "$@"`);
  const create = () =>
    service.request<Fork>('POST', forks, { body: { chainId: 1, name: 'one', height: '0x0' } });

  it('causes a clear error and leaves nothing, and is used once it exists', async () => {
    const missing = await create();
    assert.deepEqual([missing.status, missing.code], [503, 50300]);
    assert.equal(
      missing.message,
      `engine.anvilPath (or FORKLENS_ANVIL) is ${JSON.stringify(binary)}, which is not an executable file`,
    );
    assert.deepEqual((await service.request<Fork[]>('GET', `${forks}s`)).data, []);
    await works();
    const { code, data } = await create();
    assert.equal(code, 0);
    assert.equal(await call(data.rpc, 'eth_blockNumber'), '0x0');
  });

  it('is reported with its last output, and started again by the next request', async () => {
    await works();
    const { data: fork } = await create();
    const path = `${forks}/${fork.forkId}`;
    const state = async () => (await service.request<Fork>('GET', path)).data.state;
    await call(fork.rpc, 'evm_mine');
    await install(
      `case "$*" in *--version*) exec ${anvil} "$@";; esac; echo no luck today >&2; exit 3`,
    );
    signalAll(childrenOf(service.child.pid!), 'SIGKILL');
    const error = await refusal(fork.rpc, 'eth_getBlockByNumber', 'latest', false);
    assert.equal(error.code, -32002);
    assert.equal(error.message, 'the engine ended before it answered: exit code 3; no luck today');
    assert.equal(await state(), 'failed');
    const second = await refusal(fork.rpc, 'evm_mine');
    assert.match(second.message, /no luck today/);
    await works();
    assert.equal(await call(fork.rpc, 'eth_blockNumber'), '0x1');
    assert.equal(await state(), 'running');
    await rm(binary);
  });
});
