import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import type { Fork } from '../../server/api/fork';
import type { Project } from '../../server/api/project';
import {
  ALICE,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from '../integration/fork-upstream';
import { localProject, runCli } from '../support/service';
import { allFaults, type Fault } from './faults';
import { Workload, type Attempt, type Seen } from './fork-workload';
import { random } from '../support/random';
import { FORM, SEED } from './run-length';
import { Ledger, type Outcome } from './acknowledged-changes';
import { Subject } from './restarted-service';
import { FaultTable } from './table';

const FORKS = FORM === 'long' ? 8 : 3;
const LONG_ROUNDS = 12;
/** Approximate duration of an attempt, in milliseconds: faults strike at any point of it. */
const ATTEMPT_MS = 40;

describe('a service at work', function () {
  this.timeout(1_200_000);
  const table = new FaultTable('fault');
  const below = random(SEED);
  let engines: TestEngines;
  let subject: Subject;
  let project: string;
  let ledger: Ledger;
  const workloads: Workload[] = [];

  before(async () => {
    engines = await testEngines();
    const upstream = await TestChain.start(engines.start);
    await upstream.engine.rpc.request('anvil_impersonateAccount', [ALICE.address]);
    // Fills blocks with blobs. The excess blob gas, which a revert does not restore, then falls from block to block.
    for (let block = 0; block < 12; block++) {
      await upstream.send(ALICE, {
        type: 3,
        to: COUNTER,
        maxFeePerBlobGas: 10n ** 12n,
        blobVersionedHashes: Array.from({ length: 9 }, (_, i) => `0x01${String(i).repeat(62)}`),
      });
      await upstream.mine();
    }
    subject = await Subject.start({
      chains: [ethChain(upstream.engine.url)],
      limits: { projectsPerUser: 100_000 },
    });
    project = `/v1/project/${await localProject(subject.service)}`;
    ledger = new Ledger(subject, project, random(SEED + 1));
    for (let i = 0; i < FORKS; i++) {
      const body = { chainId: 1, name: `fork ${i}`, height: i % 2 === 0 ? '0xc' : '0x1' };
      const { service } = subject;
      const { data, message } = await service.request<Fork>('POST', `${project}/fork`, { body });
      assert.equal(message, 'OK', service.stderr.join('\n'));
      const path = `${project}/fork/${data.forkId}`;
      workloads.push(new Workload(subject, path, data, random(1000 * SEED + i)));
    }
  });

  after(async () => {
    table.print();
    await subject.close();
    await engines.close();
  });

  /** The count of the month, because the count of the day changes at midnight. */
  const counted = async (): Promise<number> =>
    (
      await subject.service.request<Project & { stats: { monthlyTransactionQuantity: number } }>(
        'GET',
        project,
      )
    ).data.stats.monthlyTransactionQuantity;

  /**
   * Acknowledged changes are there once, refused ones are not, and each unanswered change is there once or not at all. Earlier data is
   * unchanged.
   * @returns how many transactions were added
   */
  function check(before: Seen, after: Seen, attempts: readonly Attempt[]): number {
    for (const { what, outcome, timesIn } of attempts) {
      const times = timesIn(after);
      if (times === undefined) continue;
      const expected = { made: [1], refused: [0], unanswered: [0, 1] }[outcome];
      assert.ok(expected.includes(times), `${what} that was ${outcome} exists ${times} times`);
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
    if (attempts.every(({ timesIn }) => timesIn(after) === 0)) assert.deepEqual(after, before);
    return after.list.total - before.list.total;
  }

  async function round(fault: Fault): Promise<void> {
    await Promise.all(
      workloads.map(async (one) => {
        for (let changes = below(5) + 1; changes > 0; changes--) await one.change();
      }),
    );
    for (let changes = 3; changes > 0; changes--) assert.equal(await ledger.change(), 'made');
    const before = await Promise.all(workloads.map((one) => one.seen()));
    const countedBefore = await counted();
    const attempts = workloads.map((): Promise<Attempt>[] => []);
    const others: Promise<Outcome>[] = [];
    const begin = async (): Promise<void> => {
      for (const [i, one] of workloads.entries()) {
        for (let more = below(4); more > 0; more--) attempts[i]!.push(one.attempt(before[i]!));
      }
      for (let more = below(4); more > 0; more--) others.push(ledger.change());
      await Promise.all([...attempts.flat(), ...others]);
    };
    const first = begin();
    await delay(below(ATTEMPT_MS));
    await fault.strike(subject, begin, below);
    await first;
    const outcomes = await Promise.all(attempts.map((some) => Promise.all(some)));
    if (!fault.refuses) {
      const all = [
        ...outcomes.flat().map(({ outcome }) => outcome),
        ...(await Promise.all(others)),
      ];
      assert.deepEqual(
        all.filter((outcome) => outcome !== 'made'),
        [],
      );
    }
    if (subject.isGone) {
      await subject.restart();
      await Promise.all(workloads.map((one) => one.move()));
    }
    const made = await Promise.all(
      workloads.map(async (one, i) => {
        const seen = before[i]!;
        const first = seen.blocks[0];
        const after = await one.seen(first && Number(first.number));
        return check(seen, after, outcomes[i]!);
      }),
    );
    if (!fault.movesClock) {
      const isCounted = await counted();
      assert.equal(isCounted, sum([countedBefore, ...made]), 'each transaction is counted once');
    }
    await ledger.check();
  }

  afterEach(function () {
    if (this.currentTest?.state !== 'failed') return;
    const { stdout, stderr } = subject.service;
    const errors = [...stdout, ...stderr].filter((line) => /"level":"?(50|error)/.test(line));
    console.log(errors.slice(-3).join('\n'));
  });

  for (const fault of allFaults()) {
    it(`has all acknowledged changes and no others after: ${fault.name}`, async () => {
      const rounds = FORM === 'long' ? LONG_ROUNDS : 1;
      for (let done = 0; done < rounds; done++) await table.count(fault.name, () => round(fault));
    });
  }

  it('leaves an undamaged data directory and no process', async () => {
    const left = [...subject.engines(), ...subject.helpers()];
    assert.deepEqual(await subject.service.stop(), { code: 0, signal: null });
    for (const pid of left) assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' });
    const { stdout } = await runCli('store', 'check', '--json', '--data-dir', subject.dataDir);
    const findings = JSON.parse(stdout) as { status: string }[];
    assert.deepEqual(
      findings.filter(({ status }) => status !== 'ok'),
      [],
    );
  });
});

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
