import assert from 'node:assert/strict';
import { copyFile, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { call } from '../support/json-rpc';
import { describeWith } from '../support/programs';
import { random } from '../support/random';
import { usePostgres } from '../support/storages';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { ForkLedger } from './fork-ledger';
import { at, Team } from './team';

const ROOT = join(__dirname, '../..');
/** The condition on the lease, which every change of a journal has in its own transaction. */
const FENCE = / AND node_id = \$\{\w+\} AND epoch = \$\{\w+\} AND expires_at > now\(\)/g;
/** The lease expires in the table alone: the node that has it does not know yet. */
const EXPIRE = `UPDATE forklens.leases SET expires_at = now()`;

describeWith(['initdb'], 'two nodes that both believe to have a fork', function () {
  this.timeout(240_000);
  const postgres = usePostgres();
  let team: Team | undefined;
  let unfenced: string;

  /** A copy of the service whose journals do not ask for the lease. */
  before(async () => {
    unfenced = await makeTemporaryDirectory();
    await mkdir(join(unfenced, 'dist'));
    for (const folder of ['', 'dist']) {
      for (const name of await readdir(join(ROOT, folder))) {
        if (name === 'dist' || name === 'server.js' || name === 'postgres.js') continue;
        await symlink(join(ROOT, folder, name), join(unfenced, folder, name));
      }
    }
    // Node resolves modules beside the real file, so these are copies.
    await copyFile(join(ROOT, 'dist/server.js'), join(unfenced, 'dist/server.js'));
    const code = await readFile(join(ROOT, 'dist/postgres.js'), 'utf8');
    assert.equal(code.match(FENCE)?.length, 1);
    await writeFile(join(unfenced, 'dist/postgres.js'), code.replace(FENCE, ''));
  });
  afterEach(() => team?.stop());
  after(() => removeDirectory(unfenced));

  /** A node sends after another one has taken its fork over. @returns what the second node has by then */
  async function sendLate(root: string | undefined): Promise<() => Promise<void>> {
    team = await Team.start(postgres(), 2, [], { leaseSeconds: 600, root });
    const ledger = await ForkLedger.open(team, 'fork', random(1));
    const first = await team.ownerOf(ledger.fork);
    const second = team.otherThan(first);
    assert.equal(await ledger.send(first), true);
    await team.query(EXPIRE);
    assert.equal(Number(await call(at(second, ledger.fork), 'eth_blockNumber')), ledger.head);
    await ledger.send(first);
    return () => ledger.check(second);
  }

  it('acknowledge nothing that the newer one does not have', async () => {
    const check = await sendLate(undefined);
    await check();
  });

  it('lose a change without the condition on the lease, and the check of the random work tells', async () => {
    const check = await sendLate(unfenced);
    await assert.rejects(check, /fork: acknowledged, and missing: 0x0+2$/);
  });
});
