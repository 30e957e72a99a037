import assert from 'node:assert/strict';
import { describeWith } from '../support/programs';
import { random } from '../support/random';
import { useOwnPostgres } from '../support/storages';
import { ForkLedger } from './fork-ledger';
import { NODE_FAULTS } from './node-faults';
import { Team } from './team';

/** `long`: `npm run test:cluster -- --long`; `--seed N` sets the seed of all choices. */
const IS_LONG = process.env['CLUSTER_FORM'] === 'long';
const SEED = Number(process.env['CLUSTER_SEED'] ?? 1);
/** In the short form, each fault once. */
const ROUNDS = IS_LONG ? 300 : Object.keys(NODE_FAULTS).length;
const FORKS = 3;
/** Changes and reads of each fork before a fault. */
const STEPS = IS_LONG ? 12 : 6;

describeWith(['initdb', 'haproxy'], `random work while nodes fail, seed ${SEED}`, function () {
  this.timeout(240_000);
  // After a finding, the ledgers do not know any more what must be there.
  this.bail(true);
  const postgres = useOwnPostgres();
  const below = random(SEED);
  let team: Team;
  let ledgers: ForkLedger[];
  before(async () => {
    team = await Team.start(postgres(), 3, [], { balanced: true });
    await team.query(
      'ALTER TABLE forklens.journal_entries ADD COLUMN writer text DEFAULT session_user',
    );
    ledgers = [];
    for (let index = 0; index < FORKS; index++) {
      ledgers.push(await ForkLedger.open(team, `fork ${index}`, random(1000 * SEED + index)));
    }
  });
  after(() => team.stop());

  const faults = Object.entries(NODE_FAULTS);
  for (let round = 0; round < ROUNDS; round++) {
    const [name, strike] = faults[round % faults.length]!;
    it(`keeps what was acknowledged, once: round ${round + 1}, ${name}`, async () => {
      let isOver = false;
      const work = ledgers.map(async (ledger) => {
        for (let step = 0; step < STEPS || !isOver; step++) await ledger.step();
        await ledger.sendOne();
        await ledger.check();
      });
      const fault = strike(team, team.nodes[below(team.nodes.length)]!, postgres());
      // All end before a failure is reported, so that the next round begins with nothing under way.
      const outcomes = await Promise.allSettled([...work, fault.finally(() => (isOver = true))]);
      for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
      await ledgers[below(FORKS)]!.checkSubscription();
      const falls = await team.query(
        `SELECT fork_id, seq FROM (
          SELECT *, epoch < lag(epoch) OVER (PARTITION BY fork_id, generation ORDER BY seq) AS fell
          FROM forklens.journal_entries) AS e WHERE fell`,
      );
      assert.deepEqual(falls, [], 'an earlier lease wrote after a later one');
      const shared = await team.query(
        `SELECT fork_id, epoch, array_agg(DISTINCT writer) FROM forklens.journal_entries
          GROUP BY fork_id, epoch HAVING count(DISTINCT writer) > 1`,
      );
      assert.deepEqual(shared, [], 'two nodes wrote at the same epoch');
    });
  }
});
