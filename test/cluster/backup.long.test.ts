import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Fork } from '../../server/api/fork';
import { call } from '../support/json-rpc';
import { describeWith } from '../support/programs';
import { DEPLOY } from '../support/reverse-proxy';
import { usePostgres } from '../support/storages';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { ALICE, at, Team } from './team';

const ROOT = join(__dirname, '../..');
const TRANSFER = { from: ALICE, to: ALICE, value: '0x1' };
const execute = promisify(execFile);

/** The commands of a section of the run-book, in its order. */
async function commandsOf(heading: string): Promise<string[]> {
  const text = await readFile(join(DEPLOY, 'BACKUP.md'), 'utf8');
  const section = text.split(/^(?=## )/m).find((one) => one.startsWith(`## ${heading}\n`))!;
  return [...section.matchAll(/```sh\n([^]*?)```/g)].map(([, commands]) => commands!);
}

describeWith(['initdb'], 'the run-book for backups', function () {
  this.timeout(120_000);
  const postgres = usePostgres();
  let folder: string;
  let team: Team;
  let restored: Team | undefined;
  before(async () => {
    folder = await makeTemporaryDirectory();
    // The command line of this project, as an installation has it on its path.
    const program = join(folder, 'forklens');
    await writeFile(program, `#!/bin/sh\nexec node ${join(ROOT, 'dist/cli.js')} "$@"\n`);
    await chmod(program, 0o755);
    team = await Team.start(postgres(), 2);
  });
  after(async () => {
    await restored?.stop();
    await team.stop();
    await removeDirectory(folder);
  });
  const follow = async (heading: string, database: string): Promise<string[]> => {
    const outputs: string[] = [];
    const env = {
      ...process.env,
      PATH: `${folder}:${process.env['PATH'] ?? ''}`,
      BACKUP: join(folder, 'forklens.dump'),
      FORKLENS_DATABASE_URL: database,
      FORKLENS_DATA_DIR: join(folder, 'data'),
    };
    for (const commands of await commandsOf(heading)) {
      const { stdout, stderr } = await execute('sh', ['-euc', commands], { env });
      outputs.push(stdout + stderr);
    }
    return outputs;
  };

  it('restores every change, and forks wake', async () => {
    const forks = [await team.createFork(team.nodes[0]!), await team.createFork(team.nodes[1]!)];
    const hashes: string[] = [];
    for (const fork of forks) {
      for (let index = 0; index < 3; index++) {
        hashes.push(await call(at(team.nodes[0]!, fork), 'eth_sendTransaction', TRANSFER));
      }
    }
    const receipts = await receiptsOf(team, forks, hashes);
    // The nodes run.
    const backup = await follow('Back up', team.url);
    assert.match(backup[1]!, /TABLE DATA forklens journal_entries/);
    assert.equal((await stat(join(folder, 'forklens.dump'))).mode & 0o777, 0o600);
    // A change after the backup, which the restored database does not have.
    await call(at(team.nodes[0]!, forks[0]!), 'eth_sendTransaction', TRANSFER);

    const database = await postgres().createDatabase();
    const [, , check] = await follow('Restore', postgres().urlOf(database));
    assert.ok(!/damage[^d]*:/i.test(check!), check);
    // The nodes of the other database still run, and the new one does not ask them.
    restored = await Team.start(postgres(), 1, [], { database });
    restored.key = team.key;
    restored.project = team.project;
    assert.deepEqual(await receiptsOf(restored, forks, hashes), receipts);
    const owner = await restored.ownerOf(forks[0]!);
    assert.equal(owner, restored.nodes[0]);
    const head = await call(at(owner, forks[0]!), 'eth_blockNumber');
    const other = await call(at(team.nodes[0]!, forks[0]!), 'eth_blockNumber');
    assert.equal(Number(other) - Number(head), 1);
    await call(at(owner, forks[0]!), 'eth_sendTransaction', TRANSFER);
    // Once more over what is there.
    await restored.stop();
    await follow('Restore', postgres().urlOf(database));
    await restored.add();
    assert.deepEqual(await receiptsOf(restored, forks, hashes), receipts);
  });

  const receiptsOf = async (
    from: Team,
    forks: readonly Fork[],
    hashes: readonly string[],
  ): Promise<unknown[]> =>
    Promise.all(
      hashes.map((hash, index) => {
        const fork = forks[Math.floor(index / 3)]!;
        return call<unknown>(at(from.nodes[0]!, fork), 'eth_getTransactionReceipt', hash);
      }),
    );
});
