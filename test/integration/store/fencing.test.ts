import assert from 'node:assert/strict';
import { pino } from 'pino';
import type { JournalEntry } from '../../../server/forks/writes/journal';
import {
  openPostgresStorage,
  type PostgresStorage,
} from '../../../server/team/postgres/open-storage';
import { eventually } from '../../support/eventually';
import { describeWith } from '../../support/programs';
import { useOwnPostgres } from '../../support/storages';

const step = (method: string): JournalEntry => ({ op: 'call', method, params: [] });
const NODES = ['a', 'b'] as const;
/** Long enough for a node whose machine is busy to renew it in time. */
const SHORT_LEASE_S = 4;

describeWith(['initdb'], 'the lease of a fork', function () {
  this.timeout(120_000);
  const cluster = useOwnPostgres();
  let name: string;
  let opened: PostgresStorage[];
  beforeEach(async () => {
    name = await cluster().createDatabase();
    opened = [];
  });
  afterEach(() => Promise.all(opened.map((storage) => storage.close())));

  const open = async (nodeId: string, leaseSeconds = 600): Promise<PostgresStorage> => {
    const storage = await openPostgresStorage({
      url: cluster().urlOf(name),
      maxConnections: 4,
      leaseSeconds,
      node: { nodeId, url: null, capacity: 1, version: '1' },
      log: pino({ enabled: false }),
    });
    opened.push(storage);
    return storage;
  };
  const openBoth = async () => {
    const [a, b] = [await open(NODES[0]), await open(NODES[1])];
    await a.journals.create('fork_1');
    await a.journals.confirm('fork_1');
    return { a, b };
  };
  /** As if the clock of the database were at the end of all leases. */
  const expire = () =>
    cluster().query("UPDATE forklens.leases SET expires_at = now() - interval '1 second'", name);
  const methods = async ({ journals }: PostgresStorage): Promise<string[]> => {
    const { contents, close } = await journals.read('fork_1');
    await close();
    return contents.entries.flatMap((entry) => ('method' in entry ? [entry.method] : []));
  };
  const FENCED = { kind: 'engineUnavailable', message: /is open on another node; try again$/ };

  it('keeps other nodes out until it is released or expires', async () => {
    const { a, b } = await openBoth();
    const { journal } = await a.journals.open('fork_1');
    await journal.append(step('first'));
    await assert.rejects(b.journals.open('fork_1'), (error: Error & { retryAfter?: number }) => {
      assert.match(error.message, /^another node runs fork fork_1; try again in \d+ s$/);
      assert.ok(error.retryAfter !== undefined && error.retryAfter > 590);
      return true;
    });
    await journal.close();
    const second = await b.journals.open('fork_1');
    assert.deepEqual(second.contents.entries, [step('first')]);
    await second.journal.close();
  });

  it('refuses entries of a node after another took over, and after it expired', async () => {
    const { a, b } = await openBoth();
    const before = await a.journals.open('fork_1');
    await before.journal.append(step('of a'));
    await expire();
    await assert.rejects(before.journal.append(step('expired')), FENCED);
    const after = await b.journals.open('fork_1');
    assert.deepEqual(after.contents.entries, [step('of a')]);
    await assert.rejects(before.journal.append(step('late')), {
      kind: 'engineUnavailable',
    });
    await after.journal.append(step('of b'));
    assert.deepEqual(await methods(a), ['of a', 'of b']);
  });

  it('refuses a rewrite after another node took over', async () => {
    const { a, b } = await openBoth();
    const before = await a.journals.open('fork_1');
    await before.journal.append(step('of a'));
    await expire();
    const after = await b.journals.open('fork_1');
    const rewritten = { nextSnapshot: 0, executed: 0, entries: [step('x')] };
    await assert.rejects(before.journal.rewrite(rewritten), FENCED);
    await assert.rejects(
      before.journal.rewrite({ ...rewritten, entries: [] }),
      { kind: 'engineUnavailable' },
      'also without entries',
    );
    await after.journal.append(step('of b'));
    assert.deepEqual(await methods(b), ['of a', 'of b']);
  });

  it('makes a takeover wait for an entry that is being committed', async () => {
    const { a, b } = await openBoth();
    const { journal } = await a.journals.open('fork_1');
    // The commit of the entry waits at this trigger until the lock is released.
    await cluster().query(
      `CREATE TABLE gate (id int);
       CREATE FUNCTION wait_at_gate() RETURNS trigger AS
         $$ BEGIN LOCK TABLE gate IN SHARE MODE; RETURN NEW; END $$ LANGUAGE plpgsql;
       CREATE TRIGGER wait BEFORE INSERT ON forklens.journal_entries
         FOR EACH ROW EXECUTE FUNCTION wait_at_gate()`,
      name,
    );
    const release = await cluster().hold('LOCK TABLE gate IN EXCLUSIVE MODE', name);
    const appended = journal.append(step('slow'));
    await waiting(1);
    // The lease ends while the entry is on its way, and the next node wants it.
    const expired = expire();
    const next = expired.then(() => b.journals.open('fork_1'));
    await Promise.race([waiting(2), next]);
    await release();
    await appended;
    assert.deepEqual((await next).contents.entries, [step('slow')]);
  });

  it('keeps other nodes from deleting the fork, and ends with it', async () => {
    const { a, b } = await openBoth();
    const { journal } = await a.journals.open('fork_1');
    const forget = (): Promise<void> => Promise.resolve();
    await assert.rejects(b.journals.remove('fork_1', forget), { kind: 'forkElsewhere' });
    await journal.append(step('still there'));
    await expire();
    await b.journals.remove('fork_1', forget);
    await assert.rejects(journal.append(step('late')), FENCED);
    await assert.rejects(methods(a), { message: /is missing/ });
  });

  it('is replaced by a later one of the same node, whose entries alone count', async () => {
    const { a } = await openBoth();
    const before = await a.journals.open('fork_1');
    const after = await a.journals.open('fork_1');
    assert.equal(before.journal.lost?.aborted, true);
    await assert.rejects(before.journal.append(step('old')), FENCED);
    await after.journal.append(step('new'));
    assert.deepEqual(await methods(a), ['new']);
  });

  it('does not run out while all connections of the node wait', async () => {
    await openBoth();
    const short = await open('c', SHORT_LEASE_S);
    const { journal } = await short.journals.open('fork_1');
    const first = await expiry();
    const release = await cluster().hold('LOCK TABLE forklens.users', name);
    const reads = Array.from({ length: 8 }, () => short.users.findUser('ann'));
    await waiting(4);
    await renewed(first);
    await release();
    await Promise.all(reads);
    assert.equal(journal.lost?.aborted, false);
    await journal.append(step('in time'));
  });

  it('is renewed while the node lives, and lost in time when the database does not answer', async () => {
    await openBoth();
    const short = await open('c', SHORT_LEASE_S);
    const { journal } = await short.journals.open('fork_1');
    const first = await expiry();
    await journal.append(step('alive'));
    await renewed(first);
    await journal.append(step('alive'));
    assert.equal(journal.lost?.aborted, false);
    await cluster().stop('SIGQUIT');
    try {
      await new Promise((resolve) => journal.lost?.addEventListener('abort', resolve));
      await assert.rejects(journal.append(step('down')), { kind: 'databaseUnavailable' });
    } finally {
      await cluster().resume();
    }
    assert.ok((await methods(short)).every((method) => method === 'alive'));
    await (await short.journals.open('fork_1')).journal.append(step('again'));
  });

  /** When the leases end, by the clock of the database. */
  async function expiry(): Promise<string> {
    const [lease] = await cluster().query<{ end: string }>(
      'SELECT expires_at::text AS end FROM forklens.leases',
      name,
    );
    return lease!.end;
  }

  /** Waits until a lease is valid that would have ended without a renewal. */
  async function renewed(first: string): Promise<void> {
    await eventually(async () => {
      const valid = await cluster().query<object>(
        `SELECT 1 FROM forklens.leases WHERE now() > '${first}' AND expires_at > now()`,
        name,
      );
      assert.equal(valid.length, 1);
    });
  }

  /** Waits until this number of statements wait for a lock. */
  async function waiting(count: number): Promise<void> {
    await eventually(async () => {
      const rows = await cluster().query<object>(
        "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock'",
        name,
      );
      assert.ok(rows.length >= count, `${rows.length} of ${count} wait`);
    });
  }
});
