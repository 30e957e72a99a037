import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fork } from '../../server/api/fork';
import type { Project } from '../../server/api/project';
import { childrenOf, killAll } from '../support/processes';
import { localProject, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import {
  ALICE,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';
import { random, Workload, type Attempt, type Seen } from './fork-workload';

const FORKS = 8;
const ROUNDS = 26;
const SEED = Number(process.env['FORK_KILLS_SEED'] ?? 1);
/** What is done takes about so long, in milliseconds: kills come at any point of it. */
const ATTEMPT_MS = 40;

const TARGETS = ['its engine', 'the service', 'the engine and the service'] as const;

describe('forks under kills', function () {
  this.timeout(300_000);
  let engines: TestEngines;
  let upstream: TestChain;
  let dataDir: string;
  let service: TestService;
  let project: string;
  const below = random(SEED);

  before(async () => {
    engines = await testEngines();
    upstream = await TestChain.start(engines.start);
    await upstream.engine.rpc.request('anvil_impersonateAccount', [ALICE.address]);
    // Blocks full of blobs: the excess blob gas, which no revert takes back, then falls from block to block.
    for (let block = 0; block < 12; block++) {
      await upstream.send(ALICE, {
        type: 3,
        to: COUNTER,
        maxFeePerBlobGas: 10n ** 12n,
        blobVersionedHashes: Array.from({ length: 9 }, (_, i) => `0x01${String(i).repeat(62)}`),
      });
      await upstream.mine();
    }
    dataDir = await makeTemporaryDirectory();
    await start();
    project = `/v1/project/${await localProject(service)}`;
  });

  after(async () => {
    await service.stop();
    await engines.close();
    await removeDirectory(dataDir);
  });

  async function start(): Promise<void> {
    const { url } = upstream.engine;
    const chain = ethChain(url);
    service = await startService({ dataDir, config: { chains: [chain] } });
  }

  /** Of this month, so that it also holds at midnight. */
  const counted = async (): Promise<number> =>
    (
      await service.request<Project & { stats: { monthlyTransactionQuantity: number } }>(
        'GET',
        project,
      )
    ).data.stats.monthlyTransactionQuantity;

  /** With SIGKILL, in the order of the words; returns once a killed service is gone. */
  async function kill(target: (typeof TARGETS)[number]): Promise<void> {
    if (target !== 'the service') killAll(childrenOf(service.child.pid!));
    if (target !== 'its engine') await service.kill();
  }

  /** Whatever was acknowledged is there; what was under way is there as a whole or not at all; the rest is as it was. */
  function check(before: Seen, after: Seen, attempts: readonly Attempt[]): number {
    for (const one of attempts) {
      if (one.acknowledged) assert.ok(one.isIn(after), 'an acknowledged change is lost');
    }
    const started = after.blocks.findIndex(({ hash }) => hash === before.blocks[0]?.hash);
    const kept = after.blocks.slice(Math.max(0, started)).slice(0, before.blocks.length);
    assert.deepEqual(kept, before.blocks);
    assert.deepEqual(after.outcomes.slice(0, before.outcomes.length), before.outcomes);
    assert.deepEqual(after.logs.slice(0, before.logs.length), before.logs);
    const names = after.snapshots.map(({ snapshotId }) => snapshotId);
    assert.deepEqual(
      before.snapshots.filter(({ snapshotId }) => !names.includes(snapshotId)),
      [],
    );
    if (attempts.every((one) => !one.isIn(after))) assert.deepEqual(after, before);
    return after.list.total - before.list.total;
  }

  async function round(workloads: readonly Workload[]): Promise<void> {
    await Promise.all(
      workloads.map(async (one) => {
        for (let changes = below(5) + 1; changes > 0; changes--) await one.change();
      }),
    );
    const before = await Promise.all(workloads.map((one) => one.seen()));
    const countedBefore = await counted();
    const target = TARGETS[below(TARGETS.length)]!;
    const attempts = workloads.map((one, i) =>
      Promise.all(Array.from({ length: below(4) }, () => one.attempt(before[i]!))),
    );
    await delay(below(ATTEMPT_MS));
    await kill(target);
    const outcomes = await Promise.all(attempts);
    if (target !== 'its engine') {
      await start();
      await Promise.all(workloads.map((one) => one.moveTo(service)));
    }
    const made = await Promise.all(
      workloads.map(async (one, i) => {
        const seen = before[i]!;
        const first = seen.blocks[0];
        const after = await one.seen(first && Number(first.number));
        return check(seen, after, outcomes[i]!);
      }),
    );
    assert.equal(
      await counted(),
      made.reduce((sum, one) => sum + one, countedBefore),
      'each transaction is counted once',
    );
  }

  /** What is worth a word: that a killed service has left the end of a journal, and that a killed engine did not answer. */
  function checkLog(): void {
    interface Line {
      level: number;
      msg: string;
      err?: { kind?: string };
    }
    const unexpected = service.stderr
      .map((line) => JSON.parse(line) as Line)
      .filter(
        ({ level, msg, err }) =>
          level >= 40 &&
          msg !== 'dropped the torn end of a journal' &&
          err?.kind !== 'engineUnavailable',
      );
    assert.deepEqual(unexpected, []);
  }

  it(`have all that was acknowledged, in ${FORKS * ROUNDS} rounds from seed ${SEED}`, async () => {
    const workloads: Workload[] = [];
    for (let i = 0; i < FORKS; i++) {
      const body = { chainId: 1, name: `fork ${i}`, height: i % 2 === 0 ? '0xc' : '0x1' };
      const { data, message } = await service.request<Fork>('POST', `${project}/fork`, { body });
      assert.equal(message, 'OK', service.stderr.join('\n'));
      const path = `${project}/fork/${data.forkId}`;
      workloads.push(new Workload(service, path, data, random(1000 * SEED + i)));
    }
    for (let done = 0; done < ROUNDS; done++) {
      await round(workloads);
      checkLog();
    }
  });
});
