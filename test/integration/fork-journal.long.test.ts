import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fork } from '../../server/api/fork';
import type { JournalEntry } from '../../server/forks/writes/journal';
import { JournalFiles } from '../../server/store/journal/journal-folder';
import { call, refusal } from '../support/json-rpc';
import { createFork, localProject, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const MIB = 1024 * 1024;
const A = `0x${'aa'.repeat(20)}`;
const DROPPED = `0x${'bb'.repeat(20)}`;
const kept = (n: number): string => `0x${String(n).padStart(40, 'c')}`;
/** One MiB as a parameter. */
const CODE = `0x${'5b'.repeat(MIB / 2)}`;

const setCode = (address: string): JournalEntry => ({
  op: 'call',
  method: 'anvil_setCode',
  params: [address, CODE],
});

describe('the journal of a fork', function () {
  this.timeout(180_000);
  let dataDir: string;
  let service: TestService;
  let fork: Fork;
  const start = async (limits: object = {}, env: Record<string, string> = {}): Promise<void> => {
    service = await startService({ dataDir, env, args: ['--sandbox'], config: { limits } });
  };
  const path = async (): Promise<string> =>
    `/v1/project/${await localProject(service)}/fork/${fork.forkId}`;
  const seen = async (): Promise<Fork> => (await service.request<Fork>('GET', await path())).data;
  const rpc = (): string => `${service.url}/rpc/${fork.rpc.split('/').at(-1)!}`;
  const sizeOnDisk = async (): Promise<number> =>
    (await stat(join(dataDir, 'forks', `${fork.forkId}.journal`))).size;

  beforeEach(async () => {
    dataDir = await makeTemporaryDirectory();
  });
  afterEach(async () => {
    await service.kill();
    await removeDirectory(dataDir);
  });

  it('supplies transactions that the statistics lost in a kill: they are counted once, and do not delay the start', async () => {
    await start();
    fork = await createFork(service, { chainId: 31337 });
    await call(fork.rpc, 'anvil_setBalance', A, '0xde0b6b3a7640000');
    for (let nonce = 0; nonce < 3; nonce++) {
      await call(fork.rpc, 'eth_sendTransaction', { from: A, to: A });
    }
    await service.kill();
    for (let starts = 0; starts < 2; starts++) {
      await start();
      const { data } = await service.request<{ stats: { monthlyTransactionQuantity: number } }>(
        'GET',
        `/v1/project/${await localProject(service)}`,
      );
      assert.equal(data.stats.monthlyTransactionQuantity, 3);
      await service.stop();
    }
  });

  it('restores a fork from more than 512 MiB, and is rewritten without reverted changes', async () => {
    await start();
    fork = await createFork(service, { chainId: 31337 });
    await service.stop();
    const journals = new JournalFiles(join(dataDir, 'forks'), () => undefined);
    const { journal } = await journals.open(fork.forkId);
    await journal.rewrite({
      nextSnapshot: 0,
      executed: 0,
      entries: [
        ...Array.from({ length: 530 }, () => setCode(DROPPED)),
        { op: 'revert', id: fork.snapshotId },
        ...Array.from({ length: 16 }, (_, n) => setCode(kept(n))),
        { op: 'call', method: 'anvil_setBalance', params: [A, '0x7'] },
      ],
    });
    await journal.close();
    // Longer than the longest possible string.
    assert.ok((await sizeOnDisk()) > 2 ** 29);

    await start({}, { NODE_OPTIONS: '--max-old-space-size=192' });
    const asleep = await seen();
    assert.equal(asleep.state, 'sleeping');
    assert.equal(asleep.journal?.bytes, await sizeOnDisk());
    assert.equal(await call(rpc(), 'eth_getBalance', A, 'latest'), '0x7');
    for (const n of [0, 15])
      assert.equal(await call(rpc(), 'eth_getCode', kept(n), 'latest'), CODE);
    assert.equal(await call(rpc(), 'eth_getCode', DROPPED, 'latest'), '0x');
    assert.equal(Math.floor((await sizeOnDisk()) / MIB), 16);
    assert.equal((await seen()).journal?.bytes, await sizeOnDisk());
    await call(rpc(), 'anvil_setBalance', A, '0x8');
    await service.kill();
    await start();
    assert.equal(await call(rpc(), 'eth_getBalance', A, 'latest'), '0x8');
    assert.equal(await call(rpc(), 'eth_getCode', kept(7), 'latest'), CODE);
  });

  it('keeps large payloads out of memory', async () => {
    // Half of the memory that 48 calls of 8 MB need.
    await start({}, { NODE_OPTIONS: '--max-old-space-size=192' });
    fork = await createFork(service, { chainId: 31337 });
    const code = `0x${'5b'.repeat(4_000_000)}`;
    for (let i = 0; i < 48; i++) await call(rpc(), 'anvil_setCode', A, code);
    assert.ok((await sizeOnDisk()) > 48 * 8_000_000);
    assert.equal((await seen()).state, 'running');
    assert.equal((await call(rpc(), 'eth_getCode', A, 'latest')).length, code.length);
  });

  it('has a size limit: clients are warned before it; beyond it, changes are rejected until some are reverted', async () => {
    await start({ forkJournalMegabytes: 1 });
    fork = await createFork(service, { chainId: 31337 });
    await call(rpc(), 'anvil_setBalance', A, '0x7');
    const snapshot = await call(rpc(), 'evm_snapshot');
    const code = `0x${'5b'.repeat(50_000)}`;
    const states: unknown[] = [];
    for (let i = 0; i < 10; i++) {
      await call(rpc(), 'anvil_setCode', A, code);
      states.push((await seen()).journal?.isNearlyFull);
    }
    // 8 of about 100 kB are below four fifths of 1 MiB, 9 are above.
    assert.deepEqual(states, [...Array<boolean>(8).fill(false), true, true]);
    const warnings = service.stderr.filter((line) =>
      line.includes('the changes of a fork use most of the allowed space'),
    );
    assert.equal(warnings.length, 1);
    await call(rpc(), 'anvil_setCode', A, code);
    const { bytes, maxBytes } = (await seen()).journal!;
    assert.ok(bytes > MIB);
    assert.equal(maxBytes, MIB);

    const refused = await refusal(rpc(), 'anvil_setBalance', A, '0x8');
    assert.deepEqual(refused, {
      code: -32005,
      message:
        'the fork has 1 MiB of changes, which is the limit: revert to a snapshot, branch the fork before an early ' +
        'transaction, delete the fork, or raise limits.forkJournalMegabytes or limits.forkJournalEntries in the config file',
    });
    const named = await service.request('POST', `${await path()}/snapshots`, {
      body: { name: 'late' },
    });
    assert.deepEqual([named.status, named.code], [507, 50701]);
    assert.equal(await call(rpc(), 'eth_getBalance', A, 'latest'), '0x7', 'reads still work');

    assert.equal(await call(rpc(), 'evm_revert', snapshot), true);
    assert.ok((await seen()).journal!.bytes < 1_000);
    assert.ok((await sizeOnDisk()) < 1_000);
    assert.equal(await call(rpc(), 'eth_getCode', A, 'latest'), '0x');
    await call(rpc(), 'anvil_setBalance', A, '0x8');
    await service.kill();
    await start();
    assert.equal(await call(rpc(), 'eth_getBalance', A, 'latest'), '0x8');
  });

  it('has a limit of entries as well', async () => {
    await start({ forkJournalEntries: 5 });
    fork = await createFork(service, { chainId: 31337 });
    for (let i = 0; i < 5; i++) await call(rpc(), 'anvil_setBalance', A, `0x${i}`);
    const { message } = await refusal(rpc(), 'anvil_setBalance', A, '0x7');
    assert.match(message, /^the fork has 5 changes, which is the limit: revert to/);
    assert.equal(await call(rpc(), 'evm_revert', fork.snapshotId), true);
    await call(rpc(), 'anvil_setBalance', A, '0x8');
  });
});
