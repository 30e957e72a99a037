import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { call, post } from '../support/json-rpc';
import { random } from '../support/random';
import { usePostgres } from '../support/storages';
import { ForkLedger } from './fork-ledger';
import { at, Team, type Way } from './team';

/** Passes requests to a node, and loses the answers. */
async function loseAnswers(node: Way): Promise<{ server: Server; way: Way }> {
  const server = createServer((request, response) => {
    void text(request)
      .then((body) => post(`${node.url}${request.url}`, body))
      .then(() => response.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, way: { ...node, url: `http://127.0.0.1:${port}` } };
}

describe('the ledger of the random work', function () {
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
    const { server, way } = await loseAnswers(team.nodes[0]!);
    try {
      assert.equal(await ledger.send(way), false);
    } finally {
      server.close();
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

  it('tells of a block that nobody asked for', async () => {
    await ledger.sendOne();
    await ledger.readHead();
    await call(at(team.nodes[0]!, ledger.fork), 'evm_mine');
    const { head } = ledger;
    await assert.rejects(() => ledger.readHead(), {
      message: `fork: head ${head + 1} instead of ${head}; then: the transactions are those acknowledged`,
    });
  });
});
