import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { InvocationFlow } from '../../server/api/explorer';
import type { Project } from '../../server/api/project';
import { sandboxHash } from '../support/sandbox-hashes';
import { useCommandLine } from './cli-suite';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const LOAN = sandboxHash('flash-loan');

describe('the command line on a running service', function () {
  this.timeout(60_000);
  const suite = useCommandLine();

  const analysisOf = async (view: string): Promise<unknown> => {
    const path = `/v1/explorer/sandbox/transaction/${LOAN}/${view}`;
    return (await suite.service.request('GET', path)).data;
  };

  it('prints the answers of the service as JSON', async () => {
    const { data } = await suite.service.request<Project[]>('GET', '/v1/projects');
    assert.deepEqual(await suite.cli.json('project', 'list'), data);
    const chains = await suite.service.request('GET', '/v1/chains');
    assert.deepEqual(await suite.cli.json('chain', 'list'), chains.data);
    const block = await suite.service.request('GET', '/v1/chains/sandbox/block?at=latest');
    assert.deepEqual(await suite.cli.json('chain', 'block', 'sandbox', 'latest'), block.data);
    const account = await suite.cli.json<{ url: string; origin: string; nickname: string }>(
      'account',
    );
    assert.equal(account.nickname, 'local');
    assert.deepEqual([account.url, account.origin], [suite.service.url, 'data directory']);
  });

  it('creates, renames, shows, lists and deletes projects', async () => {
    const { projectId } = await suite.cli.json<Project>('project', 'create', 'first name');
    const renamed = await suite.cli.json<Project>('project', 'rename', 'first name', 'audits');
    assert.deepEqual([renamed.projectId, renamed.name], [projectId, 'audits']);
    assert.match(projectId, /^project_[0-9a-f]{32}$/);
    assert.match(await suite.cli.text('project', 'show', 'audits'), /^Name {2,}audits$/m);
    const ids = await suite.cli.text('project', 'list', '--quiet');
    assert.deepEqual(ids.split('\n').slice(1), [projectId]);
    const csv = await suite.cli.text('project', 'list', '--format', 'csv');
    assert.match(csv, /^ID,NAME,CREATED$/m);
    const deleted = await suite.cli.json('project', 'delete', 'audits');
    assert.deepEqual(deleted, { deleted: [projectId] });
    const gone = await suite.cli.run(['project', 'show', 'audits', '--json']);
    assert.equal(gone.code, 1);
    assert.deepEqual(JSON.parse(gone.stderr), {
      code: 40401,
      message: 'project "audits" does not exist',
    });
    assert.equal(gone.stdout, '');
  });

  it('prints each view of a transaction', async () => {
    const flow = await suite.cli.json<InvocationFlow>('tx', 'calls', 'sandbox', LOAN);
    assert.deepEqual(flow, await analysisOf('invocation-flow'));
    assert.deepEqual(
      await suite.cli.json('tx', 'balances', 'sandbox', LOAN),
      await analysisOf('balance-change'),
    );
    assert.deepEqual(
      await suite.cli.json('tx', 'flow', 'sandbox', LOAN),
      await analysisOf('fund-flow'),
    );
    assert.deepEqual(
      await suite.cli.json('tx', 'state', 'sandbox', LOAN),
      await analysisOf('state-diff'),
    );
    assert.deepEqual(
      await suite.cli.json('tx', 'gas', 'sandbox', LOAN),
      await analysisOf('gas-profile'),
    );
    const events = Object.values(flow.dataMap).filter((node) => 'event' in node);
    assert.equal(
      (await suite.cli.json<unknown[]>('tx', 'events', 'sandbox', LOAN)).length,
      events.length,
    );
    const balances = await suite.cli.text('tx', 'balances', 'sandbox', LOAN);
    assert.match(balances, /^ACCOUNT +ASSET +CHANGE +USD +PROOF$/m);
    assert.match(balances, /^0x90f79bf6eb2c4f870365e785982e1f101e93b906 +hUSD +\+69\.975445 /m);
  });

  it('finds the chain of a transaction given without chain', async () => {
    const named = await suite.cli.text('tx', 'sandbox', LOAN);
    assert.match(named, /^✓ Succeeded {2}0x/);
    assert.equal(await suite.cli.text('tx', LOAN), named);
    assert.equal(await suite.cli.text('analyze', 'sandbox', LOAN), named);
    const found = await suite.cli.text('tx', 'find', LOAN, '-q');
    assert.equal(found, 'sandbox');
  });

  it('exports an analysis in the formats of the inspector', async () => {
    const file = join(suite.home, 'report.md');
    await suite.cli.text('tx', 'export', 'sandbox', LOAN, '--format', 'markdown', '-o', file);
    assert.match(await readFile(file, 'utf8'), /^# Succeeded: run\n/);
    const csv = await suite.cli.text('tx', 'export', 'sandbox', LOAN, '--format', 'csv-events');
    assert.match(csv, /^id,contract,contractName,event,/);
    const svg = await suite.cli.text('tx', 'export', 'sandbox', LOAN, '--format', 'svg');
    assert.match(svg, /^<svg xmlns=.*>Arbitrageur<.*<\/svg>$/);
    const html = await suite.cli.text('tx', 'export', 'sandbox', LOAN, '--format', 'html');
    assert.match(html, /^<!DOCTYPE html>\n<html lang="en">/);
    assert.ok(html.includes(`"transaction":"${LOAN}"`));
    const all = JSON.parse(await suite.cli.text('tx', 'export', 'sandbox', LOAN)) as object;
    assert.deepEqual(Object.keys(all).sort(), [
      'balanceChange',
      'fundFlow',
      'gasProfile',
      'invocationFlow',
      'stateDiff',
    ]);
    const refused = await suite.cli.run([
      'tx',
      'export',
      'sandbox',
      LOAN,
      '-o',
      join(suite.home, 'no/file'),
    ]);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /^error: --output cannot be written: ENOENT/);
  });

  it('prints a Foundry test of a transaction', async () => {
    const { name, text } = await suite.cli.json<{ name: string; text: string }>(
      'test',
      'sandbox',
      LOAN,
    );
    assert.equal(name, `Transaction${LOAN.slice(0, 10)}.t.sol`);
    assert.match(text, new RegExp(`bytes32 constant TRANSACTION = ${LOAN};`));
    assert.equal(await suite.cli.text('test', LOAN), text.trimEnd());
  });

  it('stores labels and ABIs', async () => {
    await suite.cli.text('label', 'set', ALICE, 'Alice of the tests', '--chain', 'sandbox');
    const labels = await suite.cli.json('label', 'list');
    assert.deepEqual(labels, [{ address: ALICE, chain: 'sandbox', name: 'Alice of the tests' }]);
    await suite.cli.text('label', 'delete', ALICE, '--chain', 'sandbox');
    assert.deepEqual(await suite.cli.json('label', 'list'), []);
    const abi = '[{"type":"function","name":"poke","inputs":[],"outputs":[]}]';
    const set = await suite.cli.run(['abi', 'set', 'sandbox', BOB, '-'], { input: abi });
    assert.equal(set.stdout, '1 functions, 0 events, 0 errors');
    assert.match(await suite.cli.text('abi', 'show', 'sandbox', BOB), /"name": "poke"/);
    await suite.cli.text('abi', 'delete', 'sandbox', BOB);
    assert.equal((await suite.cli.run(['abi', 'show', 'sandbox', BOB])).code, 1);
    const broken = await suite.cli.run(['abi', 'set', 'sandbox', BOB, '-'], { input: '{' });
    assert.equal(broken.code, 2);
    assert.match(broken.stderr, /^error: <file> is "-"; accepted: a file with a JSON ABI/);
  });

  describe('with invalid input', () => {
    const refuses = async (args: string[], code: number, message: string | RegExp) => {
      const plain = await suite.cli.run(args);
      assert.equal(plain.code, code, plain.stderr);
      assert.equal(plain.stdout, '');
      if (typeof message === 'string') assert.equal(plain.stderr, `error: ${message}`);
      else assert.match(plain.stderr, message);
    };

    it('lists the commands of a group without words', async () => {
      await refuses(['tx'], 2, /^Usage: forklens tx [^]*\n {2}analyze [^]*\n {2}balances /);
      await refuses(['fork'], 2, /^Usage: forklens fork [^]*\n {2}create /);
      await refuses(
        ['tx', 'analyze'],
        2,
        '<hash> is missing; accepted: a transaction hash: 0x and 64 hex digits, or its URL of an explorer',
      );
    });

    it('names the option or argument, the value, and the accepted values', async () => {
      await refuses(
        ['tx', 'sandbox', LOAN, '--rows', 'abc'],
        2,
        '--rows is "abc"; accepted: a whole number from 1 to 10000000',
      );
      await refuses(
        ['tx', 'sandbox', '0x12'],
        2,
        '<hash> is "0x12"; accepted: a transaction hash: 0x and 64 hex digits, or its URL of an explorer',
      );
      await refuses(
        ['fork', 'create', 'sandbox', '--height', 'soon'],
        2,
        /^error: --height is "soon"/,
      );
      await refuses(
        ['fork', 'mine', 'x', '0'],
        2,
        '<blocks> is "0"; accepted: a whole number from 1 to 10000',
      );
      await refuses(
        ['simulate', 'sandbox', BOB, 'transfer(address,uint256)', '0x12', '1'],
        2,
        'argument 1 (address) is "0x12"; accepted: an address: 0x and 40 hex digits',
      );
      await refuses(
        ['simulate', 'sandbox', BOB, 'transfer(address'],
        2,
        '[signature] is "transfer(address"; accepted: a signature such as "transfer(address,uint256)"',
      );
      await refuses(
        ['tx', 'a', 'b', 'c'],
        2,
        '"c" is one argument too many; accepted: [chain] <hash>',
      );
      await refuses(['user', 'add'], 2, '--nickname is missing; accepted: text that is not empty');
    });

    it('prints help with examples, and suggests similar commands', async () => {
      const help = await suite.cli.text('help', 'fork', 'create');
      assert.match(help, /^Usage: forklens fork create \[options\] <chain>$/m);
      assert.match(help, /^Examples:\n {2}\$ forklens fork create eth$/m);
      assert.equal(await suite.cli.text('fork', 'create', '--help'), help);
      assert.match(await suite.cli.text('help'), /^Exit codes:$/m);
      await refuses(
        ['help', 'fork', 'creat'],
        2,
        "unknown command 'fork creat'; did you mean fork create?",
      );
      const group = await suite.cli.run(['fork']);
      assert.equal(group.code, 2);
      assert.match(group.stderr, /^Usage: forklens fork /);
    });

    it('suggests similar names', async () => {
      await refuses(['frok', 'list'], 2, "unknown command 'frok' (Did you mean fork?)");
      await refuses(['fork', 'lsit'], 2, "unknown command 'lsit' (Did you mean list?)");
      await refuses(
        ['fork', 'create', 'sandbox', '--heigth', '3'],
        2,
        "unknown option '--heigth' (Did you mean --height?)",
      );
      await refuses(
        ['project', 'list', '--format', 'tabel'],
        2,
        '--format is "tabel"; accepted: table, csv, json (did you mean table?)',
      );
      await refuses(
        ['tx', 'balnces', 'sandbox', LOAN],
        2,
        /^error: "0x.* is one argument too many; accepted: \[chain\] <hash>; did you mean tx balances\?$/,
      );
      await refuses(['fork', 'create', 'sandbx'], 1, /; did you mean sandbox\?$/);
    });

    it('prints errors as JSON on standard error', async () => {
      for (const [args, code] of [
        [['fork', 'show', 'nothing', '--json'], 40402],
        [['--json', 'tx', 'x'], 40001],
        [['nonsense', '--json'], 40001],
        [['fork', '--json'], 40001],
      ] as const) {
        const { stderr, stdout } = await suite.cli.run(args);
        assert.equal((JSON.parse(stderr) as { code: number }).code, code, args.join(' '));
        assert.equal(stdout, '');
      }
    });

    it('exits with code 4 if the key is not accepted', async () => {
      const env = { FORKLENS_ACCESS_KEY: `fl_${'0'.repeat(52)}` };
      const { code, stderr } = await suite.cli.run(['project', 'list'], { env });
      assert.equal(code, 4);
      assert.doesNotMatch(stderr, /fl_0/);
    });

    it('does not show the standard input of the doctor', async () => {
      const args = ['doctor', '--endpoints-from-stdin'];
      const { code, stderr } = await suite.cli.run(args, {
        input: '[{"url": "https://node/secret"',
      });
      assert.equal(code, 2);
      assert.match(
        stderr,
        /^error: standard input of --endpoints-from-stdin is not JSON; accepted: /,
      );
      assert.doesNotMatch(stderr, /secret/);
    });
  });
});
