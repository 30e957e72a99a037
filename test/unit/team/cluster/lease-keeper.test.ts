import assert from 'node:assert/strict';
import { once } from 'node:events';
import { LeaseKeeper, type LeaseTable } from '../../../../server/team/cluster/lease-keeper';
import { eventually } from '../../../support/eventually';

/** The keeper looks at its leases every half millisecond; what it sees is the time of the test. */
const LEASE_SECONDS = 0.01;
const LEASE_MS = LEASE_SECONDS * 1000;

describe('LeaseKeeper', () => {
  let now: number;
  let answers: boolean;
  let isOurs: boolean;
  let renewals: string[][];
  let released: string[];
  let failures: unknown[];
  let keeper: LeaseKeeper;
  let epoch: number;
  /** Called before the table answers. */
  let onTake: () => void;
  const outage = new Error('the table does not answer');
  const table: LeaseTable = {
    take: () => {
      onTake();
      return isOurs ? Promise.resolve({ epoch: ++epoch }) : Promise.resolve({ freeIn: 3.2 });
    },
    renew: (leases) => {
      renewals.push(leases.map(({ forkId }) => forkId));
      if (!answers) return Promise.reject(outage);
      return Promise.resolve(isOurs ? leases.map(({ forkId }) => forkId) : []);
    },
    release: ({ forkId }) => {
      released.push(forkId);
      return answers ? Promise.resolve() : Promise.reject(outage);
    },
  };
  beforeEach(() => {
    [now, epoch, answers, isOurs] = [0, 0, true, true];
    [renewals, released, failures] = [[], [], []];
    onTake = () => undefined;
    keeper = new LeaseKeeper({
      table,
      leaseSeconds: LEASE_SECONDS,
      now: () => now,
      onRenewalFailed: (error) => failures.push(error),
    });
  });
  afterEach(() => {
    keeper.close();
  });
  const until = (condition: () => boolean): Promise<void> =>
    eventually(() => {
      assert.ok(condition());
    });
  /** Lets time pass in steps in which the keeper can renew. */
  const pass = async (share: number): Promise<void> => {
    const before = renewals.length;
    now += share * LEASE_MS;
    await until(() => renewals.length > before);
  };

  it('renews all leases in one call, a third of their duration apart', async () => {
    const leases = await Promise.all(['a', 'b'].map((id) => keeper.hold(id)));
    for (let round = 0; round < 6; round++) await pass(0.34);
    assert.ok(renewals.length >= 6);
    assert.deepEqual(renewals.at(-1), ['a', 'b']);
    assert.deepEqual(
      leases.map(({ lost }) => lost.aborted),
      [false, false],
    );
  });

  it('loses a lease four fifths after the renewal was sent, when the table does not answer', async () => {
    const lease = await keeper.hold('a');
    await pass(0.34);
    await until(() => failures.length === 0);
    answers = false;
    const lost = once(lease.lost, 'abort');
    await pass(0.4);
    await until(() => failures.length === 1);
    assert.equal(lease.lost.aborted, false, 'at 0.74 of a lease that was renewed at 0.34');
    now = 1.13 * LEASE_MS;
    await pass(0);
    assert.equal(lease.lost.aborted, false, 'at 1.13');
    now = 1.15 * LEASE_MS;
    await lost;
    assert.equal(failures[0], outage);
  });

  it('counts from before the lease was requested', async () => {
    onTake = () => (now += 0.7 * LEASE_MS);
    answers = false;
    const { lost } = await keeper.hold('a');
    assert.equal(lost.aborted, false);
    now = 0.81 * LEASE_MS;
    await once(lost, 'abort');
  });

  it('loses a lease that the table gave to another node', async () => {
    const { lost } = await keeper.hold('a');
    const aborted = once(lost, 'abort');
    isOurs = false;
    await pass(0.34);
    await aborted;
  });

  it('says how long another node has the fork', async () => {
    isOurs = false;
    await assert.rejects(keeper.hold('a'), {
      kind: 'forkElsewhere',
      retryAfter: 4,
      message: 'another node runs fork a; try again in 4 s',
    });
  });

  it('ends an earlier lease of the fork, and releases without an error', async () => {
    const first = await keeper.hold('a');
    const second = await keeper.hold('a');
    assert.equal(first.lost.aborted, true);
    assert.deepEqual([first.epoch, second.epoch], [1, 2]);
    answers = false;
    await keeper.release(first);
    now += 0.34 * LEASE_MS;
    await until(() => renewals.length > 0);
    assert.deepEqual(renewals[0], ['a'], 'the second one is still held');
    await keeper.release(second);
    assert.deepEqual(released, ['a', 'a']);
  });

  it('does not wait for a table that hangs, and gives back what it grants too late', async () => {
    let answer: (taken: { epoch: number }) => void = () => undefined;
    const hanging = new LeaseKeeper({
      table: { ...table, take: () => new Promise((resolve) => (answer = resolve)) },
      leaseSeconds: LEASE_SECONDS,
      now: () => now,
      onRenewalFailed: (error) => failures.push(error),
    });
    try {
      await assert.rejects(hanging.hold('a'), { kind: 'databaseUnavailable', retryAfter: 2 });
      assert.deepEqual(released, []);
      answer({ epoch: 7 });
      await until(() => released.length === 1);
      assert.deepEqual([released, hanging.holds('a'), hanging.held], [['a'], false, []]);
    } finally {
      hanging.close();
    }
  });
});
