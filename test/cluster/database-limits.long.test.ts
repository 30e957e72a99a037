import assert from 'node:assert/strict';
import { Client } from 'pg';
import { eventually } from '../support/eventually';
import { call, reply } from '../support/json-rpc';
import { Pooler } from '../support/pooler';
import { describeWith } from '../support/programs';
import { random } from '../support/random';
import { canMount, SmallDisk } from '../support/small-disk';
import { useOwnPostgres } from '../support/storages';
import { ForkLedger } from './fork-ledger';
import { ALICE, at, RECOVERY_MS, Team } from './team';

const TRANSFER = { from: ALICE, to: ALICE, value: '0x1' };

describeWith(['initdb', 'pgbouncer'], 'nodes on a database', function () {
  this.timeout(240_000);
  const postgres = useOwnPostgres();
  let team: Team | undefined;
  afterEach(async () => {
    await team?.stop();
    team = undefined;
  });

  it('behind a pooler in transaction mode do all that they do without', async () => {
    const pooler = await Pooler.start(postgres());
    try {
      team = await Team.start(postgres(), 2, [], { pooler });
      const ledgers = [
        await ForkLedger.open(team, 'one', random(1)),
        await ForkLedger.open(team, 'two', random(2)),
      ];
      await Promise.all(
        ledgers.map(async (ledger) => {
          for (let step = 0; step < 30; step++) await ledger.step();
        }),
      );
      const [moved] = ledgers;
      const owner = await team.ownerOf(moved!.fork);
      team.nodes.splice(team.nodes.indexOf(owner), 1);
      await owner.kill();
      for (const ledger of ledgers) {
        await ledger.sendOne();
        await ledger.check();
      }
    } finally {
      await team?.stop();
      await pooler.close();
    }
  });

  it('whose disk is full refuse changes, keep what they acknowledged, and go on when there is space', async function () {
    if (!canMount()) this.skip();
    const disk = await SmallDisk.mount(postgres(), 32);
    try {
      team = await Team.start(postgres(), 2, [], { database: disk.database });
      const ledger = await ForkLedger.open(team, 'full', random(1));
      for (let sent = 0; sent < 3; sent++) await ledger.send();
      await disk.fill();
      const [node] = team.nodes;
      const code = `0x${'60'.repeat(24_000)}`;
      // A large change needs space at once; small ones fit into the pages of their table for a while.
      const refused = await reply(at(node!, ledger.fork), 'anvil_setCode', ALICE, code);
      assert.match(refused.error?.message ?? '', /no space left for the data of the service/);
      while (await ledger.send()) assert.ok(ledger.size < 1_000);
      const ask = () => call(at(node!, ledger.fork), 'eth_blockNumber');
      const head = await eventually(ask, RECOVERY_MS);
      assert.equal(Number(head), ledger.head);
      await disk.empty();
      await ledger.sendOne();
      await ledger.check();
    } finally {
      await team?.stop();
      await postgres().stop();
      await disk.unmount();
      await postgres().resume();
    }
  });

  it('without free connections answer with 503, and go on when there are some', async () => {
    await postgres().stop();
    await postgres().resume('max_connections=30');
    const taken: Client[] = [];
    try {
      team = await Team.start(postgres(), 2);
      const ledger = await ForkLedger.open(team, 'crowded', random(1));
      await ledger.sendOne();
      const { url } = team;
      const take = async (): Promise<boolean> => {
        const client = new Client({ connectionString: url });
        client.on('error', () => undefined);
        return client.connect().then(
          () => taken.push(client) > 0,
          () => false,
        );
      };
      const [node] = team.nodes;
      // The node loses its connections, and others get them.
      const proxy = team.proxyOf(node!);
      proxy.cut('lost');
      while (await take()) assert.ok(taken.length < 30, 'the server has more than its maximum');
      proxy.restore();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => team!.request(node!, 'GET', '/v1/projects')),
      );
      assert.ok(answers.some(({ status }) => status === 503));
      for (const { status, code, headers } of answers) {
        assert.ok(code === 0 || (status === 503 && code === 50303), String(code));
        assert.equal(headers.get('retry-after'), code === 0 ? null : '2');
      }
      await Promise.all(taken.splice(0).map((client) => client.end()));
      await ledger.sendOne();
      await ledger.check();
      assert.equal((await team.request(node!, 'GET', '/v1/projects')).code, 0);
      assert.equal(
        typeof (await call(at(node!, ledger.fork), 'eth_sendTransaction', TRANSFER)),
        'string',
      );
    } finally {
      await Promise.all(taken.map((client) => client.end()));
      await team?.stop();
      await postgres().stop();
      await postgres().resume();
    }
  });
});
