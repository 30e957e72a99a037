import assert from 'node:assert/strict';
import type { Fork, ForkTransaction } from '../../server/api/fork';
import type { Project } from '../../server/api/project';
import type { Snapshot } from '../../server/api/snapshot';
import type { Analysis } from '../../server/api/views';
import { eventually } from '../support/eventually';
import { sandboxHash } from '../support/sandbox-hashes';
import { useCommandLine } from './cli-suite';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const LOAN = sandboxHash('flash-loan');
const NOBODY = `0x${'00'.repeat(20)}`;

describe('the command line on a fork', function () {
  this.timeout(60_000);
  const suite = useCommandLine();

  let fork: Fork;

  before(async () => {
    fork = await suite.cli.json<Fork>(
      'fork',
      'create',
      'sandbox',
      '--height',
      LOAN,
      '--name',
      'before',
    );
  });

  it('has created it right before the transaction, like REST shows it', async () => {
    const [project] = await suite.cli.json<Project[]>('project', 'list');
    const path = `/v1/project/${project!.projectId}/fork/${fork.forkId}`;
    const { data } = await suite.service.request<Fork>('GET', path);
    assert.deepEqual({ ...fork, state: data.state }, data);
    assert.equal(fork.position, 3);
    assert.equal((await suite.cli.json<Fork>('fork', 'show', 'before')).forkId, fork.forkId);
    assert.equal(await suite.cli.text('fork', 'list', '-q'), fork.forkId);
  });

  it('sends requests and transactions, and lists the transactions', async () => {
    assert.equal(await suite.cli.text('fork', 'rpc', 'before', 'eth_chainId'), '0x7a69');
    await suite.cli.text('fork', 'fund', 'before', NOBODY, '1,000.5');
    const balance = await suite.cli.json(
      'fork',
      'rpc',
      'before',
      'eth_getBalance',
      NOBODY,
      'latest',
    );
    assert.equal(BigInt(balance as string), 1_000_500_000_000_000_000_000n);
    const send = ['fork', 'send', 'before', BOB, '--value', '1.5ether', '--from', NOBODY];
    const hash = await suite.cli.text(...send);
    assert.match(hash, /^0x[0-9a-f]{64}$/);
    const [newest] = await suite.cli.json<ForkTransaction[]>('fork', 'transactions', 'before');
    assert.deepEqual([newest!.hash, newest!.value], [hash, '1.5']);
    const analysis = await suite.cli.json<Analysis>('tx', 'before', hash);
    assert.equal(analysis.transaction.chain, fork.forkId);
    const error = await suite.cli.run(['fork', 'rpc', 'before', 'eth_noSuchMethod', '--json']);
    assert.equal(error.code, 1);
    assert.equal((JSON.parse(error.stderr) as { code: number }).code, -32601);
  });

  it('changes the time and mines blocks', async () => {
    const before = Number(await suite.cli.text('fork', 'rpc', 'before', 'eth_blockNumber'));
    assert.deepEqual(await suite.cli.json('fork', 'mine', 'before', '3'), {
      blocks: 3,
      blockNumber: before + 3,
    });
    const now = await suite.cli.json<{ timestamp: number }>('fork', 'time', 'before', '+1h');
    const later = await suite.cli.json<{ timestamp: number }>('fork', 'time', 'before', '+7d');
    assert.ok(later.timestamp - now.timestamp >= 7 * 86_400);
    assert.ok(later.timestamp - now.timestamp < 7 * 86_400 + 120);
    const past = await suite.cli.run(['fork', 'time', 'before', '2020-01-01']);
    assert.equal(past.code, 2);
    assert.match(past.stderr, /^error: <time> is "2020-01-01"; accepted: a time after /);
  });

  it('takes, lists, reverts to and deletes snapshots by name', async () => {
    const taken = await suite.cli.json<Snapshot>('fork', 'snapshot', 'create', 'before', 'one');
    await suite.cli.text('fork', 'mine', 'before');
    await suite.cli.text('fork', 'snapshot', 'revert', 'before', 'one');
    const height = Number(await suite.cli.text('fork', 'rpc', 'before', 'eth_blockNumber'));
    assert.equal(height, taken.blockNumber);
    const names = await suite.cli.json<Snapshot[]>('fork', 'snapshot', 'list', 'before');
    assert.deepEqual(
      names.map(({ name }) => name),
      ['default', 'one'],
    );
    await suite.cli.text('fork', 'snapshot', 'delete', 'before', 'one');
    const gone = await suite.cli.run(['fork', 'snapshot', 'revert', 'before', 'one']);
    assert.equal(gone.code, 1);
    assert.equal(gone.stderr, 'error: snapshot "one" does not exist');
  });

  it("shows addresses, impersonates accounts, and renews the fork's address", async () => {
    const facts = await suite.cli.json<{ kind: string; token: object }>(
      'chain',
      'address',
      'before',
      '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9',
    );
    assert.equal(facts.kind, 'contract');
    assert.deepEqual(facts.token, { symbol: 'hUSD', decimals: 6, source: 'chain' });
    assert.deepEqual(await suite.cli.json('fork', 'impersonate', 'before', BOB), {
      account: BOB,
      impersonated: true,
    });
    const calls = await suite.cli.text('tx', 'calls', 'sandbox', LOAN, '--sources', '--rows', '2');
    assert.match(calls, /^CALL Arbitrageur\.run\(/);
    assert.match(calls, /… and 29 more calls and events$/);
    const { folders } = await suite.cli.json<{ folders: string[] }>('artifacts', 'add', suite.home);
    assert.ok(folders.includes(suite.home));
    const twin = await suite.cli.json<Fork>('fork', 'create', 'sandbox', '--name', 'twin');
    const rpc = await suite.cli.text('fork', 'renew', 'twin');
    assert.notEqual(rpc, twin.rpc);
    assert.equal(await suite.cli.text('fork', 'copy-as', 'twin', 'url'), rpc);
    await suite.cli.text('fork', 'delete', 'twin');
  });

  it("branches before one of the fork's transactions", async () => {
    const send = ['fork', 'send', 'before', BOB, '--value', '1', '--from', NOBODY];
    const hash = await suite.cli.text(...send);
    const branch = await suite.cli.text('fork', 'branch', 'before', hash, '--name', 'twig', '-q');
    assert.match(branch, /^fork_[0-9a-f]{32}$/);
    assert.deepEqual(await suite.cli.json('fork', 'delete', 'twig'), { deleted: [branch] });
  });

  it('simulates calls by signature and arguments, calls with data, and creations', async () => {
    const token = '0xcf7ed3acca5a467e9e704c703e8d87f634fb0fc9';
    const call = ['simulate', 'sandbox', token, 'transfer(address,uint256)(bool)', BOB];
    const transfer = await suite.cli.json<Analysis>(...call, '1', '--from', ALICE);
    const top = transfer.dataMap['0'] as { invocation: { selector: string; callData: string } };
    assert.equal(top.invocation.selector, '0xa9059cbb');
    assert.equal(BigInt(`0x${top.invocation.callData.slice(-64)}`), 1n);
    const tip = ['simulate', 'before', BOB, '--value', '20gwei', '--from', ALICE];
    assert.equal((await suite.cli.json<Analysis>(...tip)).transaction.value, '0.00000002');
    const creation = ['simulate', 'sandbox', 'create', '--data', '0x00', '--from', ALICE];
    assert.equal((await suite.cli.json<Analysis>(...creation)).transaction.to, null);
  });

  it('compares two transactions', async () => {
    const send = (value: string): Promise<string> =>
      suite.cli.text('fork', 'send', 'before', BOB, '--value', value, '--from', NOBODY);
    const [one, two, other] = [await send('1'), await send('1'), await send('2')];
    const same = await suite.cli.run(['compare', 'before', one, two, '--exit-code']);
    assert.equal(same.code, 0);
    assert.match(same.stdout, /^The transactions do the same\./);
    const args = ['compare', 'before', one, fork.forkId, other, '--exit-code', '--json'];
    const different = await suite.cli.run(args);
    assert.equal(different.code, 1);
    const { balances } = different.json<{ balances: { left: string; right: string }[] }>();
    assert.equal(balances.length, 2);
  });

  it('prints connection settings for tools, and runs tools', async () => {
    assert.equal(await suite.cli.text('fork', 'copy-as', 'before'), fork.rpc);
    const toml = await suite.cli.text('fork', 'copy-as', 'before', 'foundry');
    assert.equal(toml, `[rpc_endpoints]\nbefore = "${fork.rpc}"`);
    const print = 'process.stdout.write(process.env.ETH_RPC_URL); process.exitCode = 7';
    const exec = await suite.cli.run([
      'fork',
      'exec',
      'before',
      '--',
      process.execPath,
      '-e',
      print,
    ]);
    assert.deepEqual([exec.code, exec.stdout], [7, fork.rpc]);
    const missing = await suite.cli.run(['fork', 'exec', 'before', '--', 'no-such-program']);
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /^error: <program> "no-such-program" cannot be run: /);
  });

  it('completes ids of forks and words of the table', async () => {
    const complete = async (...words: string[]): Promise<string[]> =>
      (await suite.cli.text('__complete', ...words)).split('\n');
    assert.deepEqual(await complete('fork', 'show', 'fork_'), [`${fork.forkId}\tbefore (sandbox)`]);
    assert.deepEqual(await complete('fork', 'cop'), [
      'copy-as\tprint how a tool connects to a fork; the address is a credential',
    ]);
    assert.deepEqual(await complete('fork', 'copy-as', 'before', 'fou'), [
      'foundry\turl, websocket, foundry, hardhat, metamask, env',
    ]);
    assert.ok((await complete('tx', 'san')).includes('sandbox\tSandbox'));
    assert.deepEqual(await complete('fork', 'create', '--anti'), [
      '--anti-replay\tgive the fork a chain id of its own: 999 and the id of the chain',
    ]);
  });

  it('follows changes', async () => {
    const events = suite.cli.spawn(['events', '--json', '--type', 'transactions']);
    const listening = suite.cli.spawn(['events']);
    const note = new Promise<void>((resolve) => {
      listening.child.stderr!.once('data', () => {
        resolve();
      });
    });
    await note;
    const send = (): Promise<string> =>
      suite.cli.text('fork', 'send', 'before', BOB, '--value', '1', '--from', NOBODY);
    // The second listener may connect after the first one.
    await eventually(async () => {
      await send();
      assert.notEqual(events.stdout.length, 0);
    }, 30_000);
    listening.child.kill('SIGINT');
    events.child.kill('SIGINT');
    assert.deepEqual(await events.exited, { code: 0, signal: null });
    assert.deepEqual(await listening.exited, { code: 0, signal: null });
    const change = JSON.parse(events.stdout[0]!) as { type: string; forkId: string };
    assert.deepEqual([change.type, change.forkId], ['transactions', fork.forkId]);
  });
});
