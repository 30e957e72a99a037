import assert from 'node:assert/strict';
import { call } from '../support/json-rpc';
import { describeWith } from '../support/programs';
import { random } from '../support/random';
import { usePostgres } from '../support/storages';
import { UpstreamProxy } from '../support/upstream-proxy';
import { ForkLedger } from './fork-ledger';
import { at, Team } from './team';

describeWith(['initdb'], 'the ledger of the random work', function () {
  this.timeout(240_000);
  const postgres = usePostgres();
  let team: Team;
  let ledger: ForkLedger;
  before(async () => {
    team = await Team.start(postgres(), 1, [], { leaseSeconds: 600 });
  });
  beforeEach(async () => {
    ledger = await ForkLedger.open(team, 'fork', random(1));
  });
  after(() => team.stop());

  it('allows for a transaction without an answer in a snapshot that was made after it', async () => {
    const [node] = team.nodes;
    const proxy = await UpstreamProxy.start(at(node!, ledger.fork));
    proxy.fault = () => 'lose';
    try {
      assert.equal(await ledger.send({ ...node!, url: proxy.url }), false);
    } finally {
      await proxy.close();
    }
    await ledger.snapshot();
    await ledger.sendOne();
    await ledger.check();
    assert.equal(ledger.size, 2);
    await ledger.revert();
    await ledger.readHead();
    await ledger.check();
    assert.equal(ledger.size, 1);
    await ledger.readHead();
  });

  it('reports a block that it did not cause', async () => {
    await ledger.sendOne();
    await ledger.readHead();
    await call(at(team.nodes[0]!, ledger.fork), 'evm_mine');
    const { head } = ledger;
    await assert.rejects(() => ledger.readHead(), {
      message: `fork: head ${head + 1} instead of ${head}; then: the transactions are those acknowledged`,
    });
  });
});
