import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Regressed } from '../../server/api/regress';
import { id } from 'ethers';
import { sandboxArtifact } from '../support/artifact';
import { call } from '../support/json-rpc';
import { sandboxHash } from '../support/sandbox-hashes';
import { createFork } from '../support/service';
import { writeHardhatBuild } from '../support/hardhat-build';
import { makeTemporaryDirectory, removeDirectory } from '../support/temporary-directory';
import { useCommandLine } from './cli-suite';

const VAULT = '0xc3e53f4d16ae77db1c982e75a937b9f60fe63690';
const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const SOURCE = join(__dirname, '../../server/chains/sandbox/contracts/EtherVault.sol');
/** Who may call the initializer of the test. */
const CALLER = `0x${'7'.padStart(40, '0')}`;
const EXPLOIT = sandboxHash('exploit-reentrancy');

interface Report {
  isPassed: boolean;
  stopped: string[];
  notStopped: string[];
  results: Regressed[];
}

/** The vault that reduces the balance before it pays. */
const fixed = (text: string): string =>
  text
    .replace('        balanceOf[msg.sender] = 0;\n', '')
    .replace('(bool sent,)', 'balanceOf[msg.sender] = 0;\n        (bool sent,)');

describe('regress', function () {
  this.timeout(240_000);
  const suite = useCommandLine();

  const artifact = async (name: string, edit: (text: string) => string): Promise<string> => {
    const { text } = sandboxArtifact('EtherVault', (file, source) =>
      file === 'EtherVault.sol' ? edit(source) : source,
    );
    const file = join(suite.home, `${name}.json`);
    await writeFile(file, text);
    return file;
  };

  it('shows that a fix stops the exploit, and nothing else', async () => {
    const code = await artifact('Fixed', fixed);
    const [resume, output] = [join(suite.home, 'results.jsonl'), join(suite.home, 'report.md')];
    const args = ['regress', 'sandbox', VAULT, '--code', code, '--attack', EXPLOIT];
    const options = ['--resume', resume, '--output', output, '--json'];
    const first = await suite.cli.run([...args, ...options]);
    const report = first.json<Report>();
    assert.deepEqual(
      [first.code, report.isPassed, report.stopped, report.notStopped],
      [0, true, [EXPLOIT], []],
      first.stdout,
    );
    const others = report.results.filter(({ transaction }) => transaction !== EXPLOIT);
    assert.ok(others.length > 0);
    for (const { verdict } of others) assert.match(verdict, /^(same|otherGas|created)$/);
    const attack = report.results.find(({ transaction }) => transaction === EXPLOIT);
    assert.match(attack!.cause, /^withdraw of 0xc3e5\w+: NothingToWithdraw\(address\)$/);
    assert.match(await readFile(output, 'utf8'), /^# EtherVault|^# Fixed/);
    const kept = (await readFile(resume, 'utf8')).trim().split('\n').length;
    const again = await suite.cli.run([...args, ...options]);
    assert.deepEqual(again.json<Report>().results, report.results);
    assert.equal((await readFile(resume, 'utf8')).trim().split('\n').length, kept + 1);
  });

  it('names the line at which the fix stops the exploit, of a contract of the build output', async () => {
    const project = await makeTemporaryDirectory();
    const source = fixed(await readFile(SOURCE, 'utf8'));
    await writeHardhatBuild(project, 'contracts/EtherVault.sol', source);
    const args = ['regress', 'sandbox', VAULT, '--attack', EXPLOIT, '--json', '--code'];
    const byName = await suite.cli.run([...args, 'EtherVault'], {
      cwd: join(project, 'contracts'),
    });
    const { isPassed, results } = byName.json<Report>();
    const attack = results.find(({ transaction }) => transaction === EXPLOIT);
    const line =
      source.split('\n').findIndex((text) => text.includes('revert NothingToWithdraw')) + 1;
    assert.equal(isPassed, true, byName.stdout);
    assert.equal(
      attack?.cause,
      `withdraw of ${VAULT}: NothingToWithdraw(address) at contracts/EtherVault.sol:${line}`,
    );
    assert.equal(attack.new?.place?.startLine, line);
    const other = ['regress', 'sandbox', VAULT, '--code', 'contracts/Other.sol:EtherVault'];
    const missing = await suite.cli.run(other, { cwd: project });
    assert.equal(missing.code, 2);
    assert.match(
      missing.stderr,
      /^error: --code is "contracts\/Other.sol:EtherVault"; accepted: the file of an artifact, or a contract of the project's build output: .*artifacts has none: build the project first$/m,
    );
    await removeDirectory(project);
  });

  it('fails where the code does not stop the attack, or breaks others', async () => {
    const same = await artifact('Same', (text) => text);
    const args = ['regress', 'sandbox', VAULT, '--attack', EXPLOIT, '--json'];
    const unchanged = await suite.cli.run([...args, '--code', same]);
    assert.deepEqual([unchanged.code, unchanged.json<Report>().notStopped], [1, [EXPLOIT]]);
    const closed = await artifact('Closed', (text) =>
      text.replace('balanceOf[msg.sender] += msg.value;', 'revert NothingToWithdraw(msg.sender);'),
    );
    const broken = await suite.cli.run([...args, '--code', closed]);
    const { isPassed, results } = broken.json<Report>();
    assert.deepEqual([broken.code, isPassed], [1, false]);
    const [worst] = results.filter(({ verdict }) => verdict === 'nowFails');
    assert.match(worst!.cause, /^deposit of 0xc3e5\w+: NothingToWithdraw\(address\)$/);
  });

  it('calls an initializer of the new code before each transaction', async () => {
    const guarded = await artifact('Guarded', (text) =>
      fixed(text)
        .replace('contract EtherVault {', 'contract EtherVault {\n    bool public guarded;')
        .replace(
          'function deposit() external payable {',
          'function guard(bool on) external { require(msg.sender == address(7)); guarded = on; }\n    function deposit() external payable {\n        require(guarded, "not guarded");',
        ),
    );
    const args = ['regress', 'sandbox', VAULT, '--code', guarded, '--json'];
    const without = (await suite.cli.run(args)).json<Report>();
    assert.ok(without.results.some(({ cause }) => cause.endsWith(': not guarded')));
    const init = ['--init', 'guard(bool)', '--init-arg', 'true', '--init-from', CALLER];
    const { results } = (await suite.cli.run([...args, ...init])).json<Report>();
    assert.deepEqual(
      results.map(({ verdict }) => verdict === 'nowFails' || verdict === 'unknown'),
      results.map(({ transaction }) => transaction === EXPLOIT),
      JSON.stringify(results),
    );
    const wrong = (await suite.cli.run([...args, ...init.slice(0, 4)])).json<Report>();
    assert.match(wrong.results.at(-1)!.cause, /^the call of the initializer fails: /);
  });

  it('executes transactions of a fork', async () => {
    const fork = await createFork(suite.service, { chainId: 31337, height: '0xd' });
    const deposit = { from: ALICE, to: VAULT, value: '0x5', data: id('deposit()').slice(0, 10) };
    const made = await call(fork.rpc, 'eth_sendTransaction', deposit);
    const file = join(suite.home, 'made.txt');
    await writeFile(file, made);
    const args = ['regress', fork.forkId, VAULT, '--file', file, '--json', '--code'];
    const same = await suite.cli.run([...args, await artifact('Fixed', fixed)]);
    const [kept] = same.json<Report>().results;
    assert.deepEqual(
      [same.code, kept?.transaction, kept?.blockNumber, kept?.verdict],
      [0, made, 14, 'same'],
      JSON.stringify(kept),
    );
    // Those before the fork point by their events, and all after it.
    const failing = { ...deposit, value: '0x0', data: '0x12345678', gas: '0x30d40' };
    const silent = await call(fork.rpc, 'eth_sendTransaction', failing);
    const code = await artifact('Fixed', fixed);
    const search = ['regress', fork.forkId, VAULT, '--json', '--code', code, '--attack', EXPLOIT];
    const found = await suite.cli.run(search);
    const { isPassed, results } = found.json<Report>();
    assert.deepEqual(
      [isPassed, results.length, ...results.slice(-2).map(({ transaction }) => transaction)],
      [true, 5, made, silent],
      JSON.stringify(results),
    );
    const closed = await artifact('Closed', (text) =>
      text.replace('balanceOf[msg.sender] += msg.value;', 'revert NothingToWithdraw(msg.sender);'),
    );
    const [broken] = (await suite.cli.run([...args, closed])).json<Report>().results;
    assert.deepEqual(
      [broken?.verdict, broken?.cause],
      ['nowFails', `deposit of ${VAULT}: NothingToWithdraw(address)`],
    );
  });

  it('compares one transaction as it was with what the new code makes of it', async () => {
    const code = await artifact('Fixed', fixed);
    const args = ['regress', 'sandbox', VAULT, '--code', code, '--compare'];
    const { equal, status, balances } = (await suite.cli.run([...args, EXPLOIT, '--json'])).json<{
      equal: boolean;
      status: object;
      balances: { account: string; left: string; right: string }[];
    }>();
    assert.deepEqual([equal, status], [false, { left: true, right: false }]);
    const vault = balances.find(({ account }) => account === VAULT);
    assert.deepEqual([vault?.left, vault?.right], ['-10', '']);
    const all = (await suite.cli.run([...args.slice(0, -1), '--json'])).json<Report>().results;
    const created = all.find(({ verdict }) => verdict === 'created')!.transaction;
    const none = await suite.cli.run([...args, created]);
    assert.deepEqual(
      [none.code, none.stderr],
      [2, `error: --compare is ${created}; there is nothing to compare: it creates the contract`],
    );
    const both = await suite.cli.run([...args, EXPLOIT, '--init', '0x12345678']);
    assert.equal(both.stderr, 'error: --compare is given with --init; accepted: one of them');
  });

  it('asks before it executes more than a million transactions, and for what it calls', async () => {
    const code = await artifact('Fixed', fixed);
    const args = ['regress', 'sandbox', VAULT, '--code', code];
    const many = await suite.cli.run([...args, '--last', '2000000']);
    assert.deepEqual(
      [many.code, many.stderr],
      [
        2,
        'error: 2000000 transactions would be executed; accepted: up to 1000000, or more with --yes',
      ],
    );
    const agreed = await suite.cli.run([...args, '--last', '2000000', '--yes', '--json']);
    assert.equal(agreed.json<Report>().results.length, 4);
    const none = await suite.cli.run([...args, '--init-arg', '1']);
    assert.match(none.stderr, /^error: --init is missing; accepted: a signature or call data/);
  });

  it('is refused by name for what has no code, and for what is no hash', async () => {
    const code = await artifact('Fixed', fixed);
    const nobody = `0x${'12'.repeat(20)}`;
    const args = ['regress', 'sandbox', nobody, '--code', code, '--attack', EXPLOIT];
    const { code: ended, stderr } = await suite.cli.run(args);
    assert.equal(ended, 2);
    assert.match(stderr, /address is "0x1212\w+"; accepted: a contract, and there is no code/);
    const file = join(suite.home, 'hashes.txt');
    await writeFile(file, '0x12');
    const wrong = await suite.cli.run([...args.slice(0, 5), '--file', file]);
    assert.deepEqual(
      [wrong.code, wrong.stderr],
      [2, 'error: --file contains "0x12"; accepted: transaction hashes, 0x and 64 hex digits'],
    );
  });
});
