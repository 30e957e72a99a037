import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cp, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { WrittenCase } from '../../server/api/cases';
import type { BalanceChange } from '../../server/api/explorer';
import { binary, SOLC } from '../support/foundry';
import { call } from '../support/json-rpc';
import { itWith } from '../support/programs';
import { sandboxHash } from '../support/sandbox-hashes';
import { createFork, startService, type TestService } from '../support/service';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';

const ROOT = join(__dirname, '../..');
const EXAMPLES = join(ROOT, 'test/examples');
const HARDHAT = join(ROOT, 'node_modules/hardhat/internal/cli/bootstrap.js');
const CLI = join(ROOT, 'dist/cli.js');
const TSX = ['--import', 'tsx'];

/** Each example as a user runs it; only the service's address and key come from outside. */
describe('the examples', function () {
  this.timeout(60_000);
  let home: string;
  let service: TestService;
  let environment: Record<string, string>;

  before(async () => {
    home = await makeTemporaryDirectory();
    service = await startService({ args: ['--sandbox'] });
    environment = {
      PATH: [dirname(binary('forge')), process.env['PATH'] ?? ''].join(delimiter),
      HOME: home,
      FORKLENS_URL: service.url,
      FORKLENS_ACCESS_KEY: service.key,
      FOUNDRY_SOLC: SOLC,
      FOUNDRY_OFFLINE: 'true',
      FOUNDRY_DISABLE_NIGHTLY_WARNING: '1',
      HARDHAT_DISABLE_TELEMETRY_PROMPT: 'true',
    };
  });
  after(async () => {
    await service.stop();
    await removeDirectory(home);
  });

  async function run(file: string, args: readonly string[], cwd = EXAMPLES): Promise<string> {
    const { stdout } = await promisify(execFile)(file, args, { cwd, env: environment });
    return stdout.trim();
  }

  it('are all in the README', async () => {
    const readme = await readFile(join(ROOT, 'README.md'), 'utf8');
    const named = [...readme.matchAll(/\]\((test\/examples\/[^)]+)\)/g)].map(([, path]) => path!);
    const folders = (await readdir(EXAMPLES, { withFileTypes: true })).filter((one) =>
      one.isDirectory(),
    );
    const projects = ['foundry', 'hardhat'];
    const files = await Promise.all(
      folders.map(async ({ name }) => {
        if (projects.includes(name)) return [`test/examples/${name}`];
        const scripts = await readdir(join(EXAMPLES, name), { withFileTypes: true });
        return scripts
          .filter((one) => one.isFile())
          .map((one) => `test/examples/${name}/${one.name}`);
      }),
    );
    const scripts = files.flat().filter((path) => !path.endsWith('/forklens.py')); // a module of the others
    assert.deepEqual([...new Set(named)].sort(), scripts.sort());
  });

  itWith(['curl'], 'shell/fork.sh prints who paid whom', async () => {
    const output = await run('sh', ['shell/fork.sh']);
    const { data } = JSON.parse(output) as { data: BalanceChange };
    assert.deepEqual(
      data.balanceChange.map(({ account, assets: [asset] }) => [
        account,
        asset?.sign,
        asset?.amount,
      ]),
      [
        ['0x70997970c51812dc3a010c7d01b50e0d17dc79c8', false, '1'],
        ['0x000000000000000000000000000000000000dead', true, '1'],
      ],
    );
  });

  itWith(
    ['python3'],
    'python/fork.py prints the address of a fork right before a transaction',
    async () => {
      const rpc = await run('python3', ['python/fork.py']);
      assert.equal(Number(await call(rpc, 'eth_chainId')), 31337);
      assert.equal(await call(rpc, 'eth_blockNumber'), '0x8');
    },
  );

  itWith(['python3'], 'python/forklens.py ends with the message of an error', async () => {
    const failed = run('python3', ['python/balance_changes.py', 'sandbox', '0x1']);
    await assert.rejects(failed, ({ code, stderr }: { code: number; stderr: string }) => {
      assert.equal(code, 1);
      assert.match(stderr, /^40001: .*0x1.*\n$/);
      return true;
    });
  });

  itWith(['python3'], 'python/balance_changes.py prints who gained and who lost', async () => {
    const hash = sandboxHash('exploit-reentrancy');
    assert.equal(
      await run('python3', ['python/balance_changes.py', 'sandbox', hash]),
      [
        '0x15d34aaf54267db7d7c367839aaf71a00a2c6a65 +10 ETH',
        '0xc3e53f4d16ae77db1c982e75a937b9f60fe63690 -10 ETH',
      ].join('\n'),
    );
  });

  itWith(['python3'], 'python/simulate.py changes the state that it simulates on', async () => {
    assert.equal(await run('python3', ['python/simulate.py']), 'succeeded');
  });

  itWith(['python3'], 'python/read_case.py lists a case file, and checks its hashes', async () => {
    const hash = sandboxHash('exploit-reentrancy');
    const file = join(home, 'exploit.forklens');
    const path = `/v1/explorer/sandbox/transaction/${hash}/case`;
    const { data } = await service.request<WrittenCase>('POST', path, { body: { file } });
    const [id, ...entries] = (await run('python3', ['python/read_case.py', file])).split('\n');
    assert.equal(id, data.id);
    assert.deepEqual(
      entries.map((line) => line.replace(/\d+ bytes, \d+ in the file/, 'N')),
      ['case.json: N', `  transaction ${hash} of sandbox`, 'answers.jsonl: N', 'known.json: N'],
    );
    const bytes = await readFile(file);
    bytes[bytes.length - 20]! ^= 1;
    await writeFile(file, bytes);
    const failed = run('python3', ['python/read_case.py', file]);
    await assert.rejects(failed, ({ code, stderr }: { code: number; stderr: string }) => {
      assert.equal(code, 1);
      assert.match(stderr, /^refused: /);
      return true;
    });
  });

  it('viem/send-as-anyone.ts sends tokens without a key', async () => {
    assert.equal(
      await run(process.execPath, [...TSX, 'viem/send-as-anyone.ts']),
      'success: the receiver has 5 HBR',
    );
  });

  it('ethers/revert.ts comes back to the state of its snapshot', async () => {
    assert.equal(
      await run(process.execPath, [...TSX, 'ethers/revert.ts']),
      'changed: 7.0, reverted: 0.0',
    );
  });

  it('foundry repeats an exploit on the state right before it', async () => {
    const fork = await createFork(service, { chainId: 31337, height: '0xc', position: 0 });
    environment['ETH_RPC_URL'] = fork.rpc;
    const project = join(home, 'foundry');
    await cp(join(EXAMPLES, 'foundry'), project, { recursive: true });
    const output = await run('forge', ['test', '--fork-url', 'fork', '--json'], project);
    const { test_results: results } = (
      JSON.parse(output) as Record<string, { test_results: Record<string, { status: string }> }>
    )['test/Exploit.t.sol:ExploitTest']!;
    assert.deepEqual(results['test_empties_the_vault()']?.status, 'Success');
  });

  it('hardhat moves a token from an impersonated account', async () => {
    const fork = await createFork(service, { chainId: 31337 });
    environment['ETH_RPC_URL'] = fork.rpc;
    const project = join(home, 'hardhat');
    await cp(join(EXAMPLES, 'hardhat'), project, { recursive: true });
    // Where the user's own `npm install` puts Hardhat.
    await symlink(join(ROOT, 'node_modules'), join(project, 'node_modules'), 'junction');
    const args = ['test', '--no-compile', '--network', 'fork'];
    assert.match(await run(process.execPath, [HARDHAT, ...args], project), /1 passing/);
  });

  it('foundry runs from a lockfile without its fork', async () => {
    const fork = await createFork(service, { chainId: 31337, height: '0xc', position: 0 });
    const project = join(home, 'locked-foundry');
    await cp(join(EXAMPLES, 'foundry'), project, { recursive: true });
    const test = ['--', 'forge', 'test', '--fork-url', 'fork'];
    environment['ETH_RPC_URL'] = fork.rpc;
    await run(process.execPath, [CLI, 'lock', 'record', ...test], project);
    environment['ETH_RPC_URL'] = '';
    const frozen = [CLI, 'lock', 'run', '--frozen', ...test];
    assert.match(await run(process.execPath, frozen, project), /1 tests passed, 0 failed/);
  });

  it('hardhat runs from a lockfile without a chain, by its plugin', async () => {
    const fork = await createFork(service, { chainId: 31337 });
    const project = join(home, 'locked-hardhat');
    await cp(join(EXAMPLES, 'hardhat'), project, { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(project, 'node_modules'), 'junction');
    const test = ['--', process.execPath, HARDHAT, 'test', '--no-compile'];
    environment['ETH_RPC_URL'] = fork.rpc;
    await run(process.execPath, [CLI, 'lock', 'record', ...test], project);
    environment['ETH_RPC_URL'] = '';
    const frozen = [CLI, 'lock', 'run', '--frozen', ...test];
    assert.match(await run(process.execPath, frozen, project), /1 passing/);
  });
});
