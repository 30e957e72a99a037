import assert from 'node:assert/strict';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { startArchive } from '../support/archive';
import type { BareAnvil } from '../support/bare-anvil';
import { CommandLine, type CliResult } from '../support/command-line';
import { binary, SOLC } from '../support/foundry';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const ROOT = join(__dirname, '../..');
const LOCK = 'forklens.lock';
const CAROL = `0x${'ca'.repeat(20)}`;
const SLOTS = `0x${'c0'.padStart(40, '0')}`;

interface Missing {
  missing: { method: string; text: string; test: string | null }[];
}

/** Two endpoints of one chain, of which foundry.toml names the first; and its fork tests by forge. */
describe('the lockfile of a Foundry project', function () {
  this.timeout(300_000);
  let home: string;
  let project: string;
  let archive: BareAnvil | undefined;
  let cli: CommandLine;
  let urls: Record<string, string>;

  before(async () => {
    home = await makeTemporaryDirectory();
    project = join(home, 'project');
    await cp(join(ROOT, 'test/fixtures/lock'), project, { recursive: true });
    archive = await startArchive();
    urls = { ARCHIVE_URL: archive.url, OTHER_RPC_URL: archive.url };
    cli = new CommandLine(home, {
      PATH: [dirname(binary('forge')), process.env['PATH'] ?? ''].join(delimiter),
      FOUNDRY_SOLC: SOLC,
      FOUNDRY_DISABLE_NIGHTLY_WARNING: '1',
    });
  });
  after(async () => {
    await archive?.stop();
    await removeDirectory(home);
  });

  const run = (args: readonly string[], env: Record<string, string> = {}): Promise<CliResult> =>
    cli.run(['lock', ...args], { cwd: project, env });
  const read = (): Promise<string> => readFile(join(project, LOCK), 'utf8');
  const succeeded = ({ code, stdout, stderr }: CliResult): string => {
    assert.equal(code, 0, stdout + stderr);
    return stdout;
  };

  it('records all reads, the same bytes each time, and no endpoint', async () => {
    const record = ['record', '-o', LOCK, '--', 'forge', 'test'];
    const output = succeeded(await run(record, urls));
    assert.match(output, /4 tests passed, 0 failed/);
    const first = await read();
    succeeded(await run(record, urls));
    assert.equal(await read(), first);
    assert.ok(!first.includes('127.0.0.1'), 'it contains an endpoint');
    const lines = first.split('\n');
    assert.deepEqual(lines.slice(0, 5), [
      '{"forklensLock":1}',
      '{"foundry":"named","chain":31337}',
      '{"variable":"OTHER_RPC_URL","chain":31337}',
      '{"fuzzSeed":"0x464c"}',
      '{"chain":31337,"head":6}',
    ]);
    const slots = lines.filter((line) => line.startsWith(`["eth_getStorageAt",["${SLOTS}"`));
    assert.deepEqual(
      slots.map((line) => BigInt((JSON.parse(line) as [string, unknown, string])[2])),
      [7n, 8n],
    );
  });

  it('has every read of the tests in `lock show`', async () => {
    const { code, stdout } = await run(['show']);
    assert.equal(code, 0);
    const rows = stdout.split('\n').map((line) => line.split(/ {2,}/).slice(0, 2));
    assert.deepEqual(rows, [
      ['CHAIN', 'BLOCK'],
      ['31337', '2'],
      ['31337', '3'],
      ['31337', '6'],
    ]);
    for (const words of [['-l', LOCK], ['--lock', LOCK], [LOCK]]) {
      assert.equal((await run(['show', ...words])).stdout, stdout, words.join(' '));
    }
    const both = await run(['show', '-l', LOCK, 'other.lock']);
    assert.equal(both.code, 2);
    assert.match(both.stderr, /<lockfile> "other\.lock" and --lock "forklens\.lock" are given/);
  });

  it('runs the tests without the chain and without variables', async () => {
    await archive?.stop();
    archive = undefined;
    const output = succeeded(await run(['run', '--frozen', '--', 'forge', 'test']));
    assert.match(output, /4 tests passed, 0 failed/);
  });

  it('names method, address, slot, block and test of a read that is missing', async () => {
    const words = ['run', '--frozen', '--json', '--', 'forge', 'test', '--match-test', 'newest'];
    const { code, stdout, stderr } = await run(words, { SLOT: '5' });
    assert.equal(code, 1);
    const text = `eth_getStorageAt of ${SLOTS} slot 0x5 at block 6 of chain 31337`;
    assert.ok(stderr.includes(`${LOCK} lacks ${text}`), stderr);
    const { missing } = JSON.parse(stdout) as Missing;
    assert.deepEqual(
      missing.map(({ method, text: shown, test }) => [method, shown, test]),
      [['eth_getStorageAt', text, 'test/Fork.t.sol:ForkTest.test_newest_block()']],
    );
  });

  it('fails for a read that the program hides', async () => {
    const body = `{"jsonrpc":"2.0","id":1,"method":"eth_getCode","params":["${CAROL}","latest"]}`;
    const hidden = `fetch(process.env.OTHER_RPC_URL, { method: 'POST', body: '${body}' })`;
    const { code, stderr } = await run(['run', '--frozen', '--', process.execPath, '-e', hidden]);
    assert.equal(code, 1);
    const shown = `  eth_getCode of ${CAROL} at block 6 of chain 31337`;
    assert.deepEqual(stderr.split('\n'), [
      `${LOCK} lacks 1 read; forklens lock update adds what is missing:`,
      shown,
    ]);
  });

  it('update adds what is new and drops what is unused', async () => {
    archive = await startArchive('--timestamp', '1700000000');
    urls = { ARCHIVE_URL: archive.url, OTHER_RPC_URL: archive.url };
    const forge = ['--', 'forge', 'test', '--match-test'];
    const before = await read();
    succeeded(await run(['update', '--keep', ...forge, 'older'], urls));
    assert.equal(await read(), before);
    succeeded(await run(['update', ...forge, 'older|slot_stays'], urls));
    const { stdout } = await run(['show', '--json']);
    const [chain] = JSON.parse(stdout) as { blocks: { block: number }[] }[];
    assert.deepEqual(
      chain!.blocks.map(({ block }) => block),
      [2, 6],
    );
    const failing = await run(['update', ...forge, 'older|newest'], { ...urls, SLOT: '3' });
    assert.equal(failing.code, 1);
    assert.match(failing.stderr, /Nothing is dropped/);
    const after = await read();
    assert.ok(after.includes('"0x3","0x6"') && after.includes('"0x1","0x6"'), after);
  });

  it('writes nothing where the program cannot be run, reads nothing or is cancelled', async () => {
    const file = join(project, 'other.lock');
    const record = ['record', '-o', file, '--'];
    const unknown = await run([...record, 'no-such-program'], urls);
    assert.equal(unknown.code, 2);
    assert.match(unknown.stderr, /<program> "no-such-program" cannot be run/);
    const silent = await run([...record, process.execPath, '-e', '0'], urls);
    assert.equal(silent.code, 2);
    assert.match(silent.stderr, /read nothing of a chain.*--rpc/);

    const waiting = 'console.log("waits"); setInterval(() => {}, 1000)';
    const options = { cwd: project, env: urls };
    const spawned = cli.spawn(['lock', ...record, process.execPath, '-e', waiting], options);
    spawned.child.stdout!.once('data', () => spawned.child.kill('SIGTERM'));
    assert.deepEqual(await spawned.exited, { code: 130, signal: null });
    await assert.rejects(readFile(file));
  });

  it('passes the exit code on, and names the line of a damaged file', async () => {
    const exit = await run(['run', '--', process.execPath, '-e', 'process.exit(7)'], urls);
    assert.equal(exit.code, 7);
    const text = await read();
    const file = join(project, 'damaged.lock');
    await cp(join(project, LOCK), file);
    await writeFile(file, text.replace('{"chain":31337,"block":2}', '{"chain":31337,"bl'));
    const { code, stderr } = await run(['run', '-l', file, '--', 'true'], urls);
    assert.equal(code, 2);
    assert.match(stderr, /damaged\.lock, line 5: not JSON/);
    await rm(file);
  });
});
