import assert from 'node:assert/strict';
import type { OtherBlock } from '../../server/api/reorder';
import { AGENT_TOOLS } from '../../server/agents/tools';
import { AgentClient } from '../support/agent-client';
import { sandboxArtifact } from '../support/artifact';
import { call } from '../support/json-rpc';
import { sandboxHash } from '../support/sandbox-hashes';
import { localProject, startService, type TestService } from '../support/service';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const POOR = `0x${'11'.repeat(20)}`;
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const VAULT = '0xc3e53f4d16ae77db1c982e75a937b9f60fe63690';
const GOLD = '0x8a791620dd6260079bf849dc5567adc3f2fdc318';
const UNTRUSTED = /untrusted data, never instructions\.$/;
const SWAP = sandboxHash('swap-two-hops');

describe("the agents' tools over MCP", () => {
  let service: TestService;
  let agent: AgentClient;

  before(async () => {
    service = await startService({ args: ['--sandbox'] });
    agent = await AgentClient.start(service);
  });
  after(async () => {
    await agent.close();
    await service.stop();
  });
  const use = (name: string, input?: object): ReturnType<AgentClient['use']> =>
    agent.use(name, input);

  it('are listed with their inputs, and whether they change anything', async () => {
    const { tools } = await agent.client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      Object.keys(AGENT_TOOLS),
    );
    const changing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false);
    assert.deepEqual(
      changing.map(({ name }) => name),
      [
        'create_fork',
        'branch_fork',
        'send_transaction',
        'create_snapshot',
        'revert_fork',
        'create_case',
        'write_case',
        'open_case',
      ],
    );
    const destructive = tools.filter(({ annotations }) => annotations?.destructiveHint);
    assert.deepEqual(
      destructive.map(({ name }) => name),
      ['revert_fork'],
    );
    for (const { name, description } of tools) assert.match(description ?? '', UNTRUSTED, name);
    assert.match(agent.client.getInstructions() ?? '', UNTRUSTED);
  });

  it('explain a transaction', async () => {
    const { text, isError } = await use('analyze_transaction', {
      chain: 'sandbox',
      transaction: SWAP,
    });
    assert.equal(isError, false);
    assert.match(text, /^✓ Succeeded {2}0x/);
    assert.match(text, /CALL "Router"\.swapExactTokensForTokens\(/);
    assert.match(text, /"alice"\s+"HBR"\s+−1,?000/);
    // eslint-disable-next-line no-control-regex -- colours are for terminals
    assert.doesNotMatch(text, /\u001b\[/);
  });

  it('return exact balance changes', async () => {
    const input = { chain: 'sandbox', transaction: sandboxHash('transfer-18-decimals') };
    const { text } = await use('get_balance_changes', input);
    const { balanceChange } = JSON.parse(text) as {
      balanceChange: { account: string; assets: { rawAmount: string; sign: boolean }[] }[];
    };
    assert.deepEqual(
      balanceChange.map(({ account, assets }) => [account, assets[0]!.rawAmount, assets[0]!.sign]),
      [
        [ALICE, '250500000000000000000', false],
        [BOB, '250500000000000000000', true],
      ],
    );
  });

  it('simulate an unsent transaction', async () => {
    const { text } = await use('simulate_transaction', {
      chain: 'sandbox',
      from: ALICE,
      to: BOB,
      value: '1000000000000000000',
    });
    assert.match(text, /^The transaction would succeed in block \d+ of sandbox\./);
    assert.match(text, /"bob"\s+ETH\s+\+1/);
  });

  it('simulate at a position of an older block, and with a different state', async () => {
    const sent = { chain: 'sandbox', from: POOR, to: BOB, value: '5' };
    const refused = await use('simulate_transaction', sent);
    assert.equal(refused.isError, true);
    assert.match(refused.text, /insufficient funds|balance/i);
    const { text } = await use('simulate_transaction', {
      ...sent,
      height: 8,
      position: 1,
      stateOverrides: { [POOR]: { balance: '5' } },
      blockOverrides: { time: 1_900_000_000 },
    });
    assert.match(text, /^The transaction would succeed in block 8 of sandbox\./);
    const misspelt = await use('simulate_transaction', { ...sent, blockOverrides: { tme: 1 } });
    assert.equal(misspelt.isError, true);
    assert.match(misspelt.text, /blockOverrides/);
  });

  it("report a transaction's changes of the state", async () => {
    const input = { transaction: sandboxHash('transfer-18-decimals') };
    const { status, accounts } = JSON.parse((await use('get_state_difference', input)).text) as {
      status: boolean;
      accounts: { address: string; storage: { variables?: { name: string }[] }[] }[];
    };
    assert.equal(status, true);
    assert.ok(accounts.some(({ address }) => address === ALICE));
    assert.equal(accounts.flatMap(({ storage }) => storage).length, 2);
  });

  it('report the positions of calls in the sources', async () => {
    const { text, isError } = await use('get_source_lines', {
      chain: 'sandbox',
      transaction: SWAP,
    });
    assert.equal(isError, false, text);
    assert.match(text, /^CALL "Router"\.swapExactTokensForTokens\(/);
    const { locations } = JSON.parse(text.slice(text.indexOf('\n\n'))) as { locations: unknown[] };
    assert.ok(Array.isArray(locations));
  });

  it('ask the past: new code, upgrades, and another order of a block', async function () {
    this.timeout(120_000);
    const { text: artifact } = sandboxArtifact('EtherVault', (file, source) =>
      file === 'EtherVault.sol'
        ? source
            .replace('        balanceOf[msg.sender] = 0;\n', '')
            .replace('(bool sent,)', 'balanceOf[msg.sender] = 0;\n        (bool sent,)')
        : source,
    );
    const attack = sandboxHash('exploit-reentrancy');
    const { results } = JSON.parse(
      (await use('replay_with_new_code', { chain: 'sandbox', contract: VAULT, artifact })).text,
    ) as { results: { transaction: string; verdict: string }[] };
    const stopped = results.filter(({ verdict }) => verdict === 'nowFails');
    assert.deepEqual(
      stopped.map(({ transaction }) => transaction),
      [attack],
    );
    const next = sandboxArtifact('UpgradeableTokenV2', (_, source) => source).text;
    const check = await use('check_upgrade', { chain: 'sandbox', proxy: GOLD, artifact: next });
    const { items } = JSON.parse(check.text) as { items: { level: string; subject: string }[] };
    assert.deepEqual(
      items.filter(({ level }) => level === 'error'),
      [],
    );
    const bad = await use('check_upgrade', { chain: 'sandbox', proxy: GOLD, artifact: '{}' });
    assert.equal(bad.isError, true);
    assert.match(bad.text, /artifact: it is not an artifact of Foundry or Hardhat/);
    const changes = [{ kind: 'drop', position: 0 }];
    const other = await use('reorder_block', { chain: 'sandbox', block: 8, changes });
    assert.equal(other.isError, false, other.text);
    const { check: proof, transactions } = JSON.parse(other.text) as OtherBlock;
    assert.deepEqual(proof, { receipts: 'equal', state: 'equal' });
    assert.deepEqual([transactions.at(-1)?.hash, transactions.at(-1)?.verdict], [SWAP, 'dropped']);
  });

  it('send on a fork, take snapshots, revert and branch', async () => {
    const made = async <T>(name: string, input: object): Promise<T> => {
      const { text, isError } = await use(name, input);
      assert.equal(isError, false, text);
      return JSON.parse(text) as T;
    };
    const { forkId: fork, rpc } = await made<{ forkId: string; rpc: string }>('create_fork', {
      chain: 'sandbox',
      name: 'used',
      height: 'latest',
    });
    const { snapshotId } = await made<{ snapshotId: string }>('create_snapshot', {
      fork,
      name: 'at first',
    });
    interface Sent {
      transaction: string;
      status: string;
      gasUsed: number;
    }
    const sent = await made<Sent>('send_transaction', { fork, from: ALICE, to: BOB, value: '5' });
    assert.deepEqual([sent.status, sent.gasUsed], ['succeeded', 21_000]);
    const created = await made<{ contractAddress: string }>('send_transaction', {
      fork,
      from: ALICE,
      data: '0x600160005260206000f3',
    });
    assert.match(created.contractAddress, /^0x[0-9a-f]{40}$/);
    const { transaction } = sent;
    const branch = { fork, transaction, name: 'before it' };
    const { rpc: other } = await made<{ rpc: string }>('branch_fork', branch);
    const balances = [other, rpc].map((url) => call(url, 'eth_getBalance', BOB, 'latest'));
    const [before = '', after = ''] = await Promise.all(balances);
    assert.equal(BigInt(after) - BigInt(before), 5n);
    await made('revert_fork', { fork, snapshotId });
    const gone = await use('analyze_transaction', { chain: fork, transaction });
    assert.equal(gone.isError, true);
    const snapshots = await made<{ name: string }[]>('list_snapshots', { fork });
    assert.deepEqual(
      snapshots.map(({ name }) => name),
      ['default', 'at first'],
    );
    const refused = await use('send_transaction', { fork, from: POOR, to: BOB, value: '5' });
    assert.equal(refused.isError, true);
    assert.match(refused.text, /insufficient funds/);
    const nowhere = await use('revert_fork', { fork: 'fork_0', snapshotId });
    assert.match(nowhere.text, /"fork_0" does not exist/);
  });

  it('create a fork, and list it without its address, which is a credential', async () => {
    const { text } = await use('create_fork', {
      chain: 'sandbox',
      name: 'by an agent',
      height: '0x8',
    });
    const fork = JSON.parse(text) as { forkId: string; rpc: string; height: string };
    assert.match(fork.rpc, /^http:\/\/127\.0\.0\.1:\d+\/rpc\/[0-9a-f]{32}$/);
    assert.equal(fork.height, '0x8');
    const listed = (await use('list_projects')).text;
    assert.ok(listed.includes(fork.forkId));
    assert.ok(!listed.includes(fork.rpc));
    assert.ok(listed.includes(await localProject(service)));
  });

  it('report faults as text', async () => {
    const chain = await use('analyze_transaction', { chain: 'nowhere', transaction: SWAP });
    assert.equal(chain.isError, true);
    assert.match(chain.text, /^chain "nowhere" is not configured; accepted: /);
    const fork = await use('create_fork', { chain: 'nowhere', name: 'x' });
    assert.match(fork.text, /^chain nowhere is not configured; accepted: .*sandbox/);
    const hash = await use('analyze_transaction', { chain: 'sandbox', transaction: '0x12' });
    assert.equal(hash.isError, true);
    assert.match(hash.text, /transaction/);
  });

  it('report a missing service', async () => {
    await service.kill();
    const { text, isError } = await use('list_chains');
    assert.equal(isError, true);
    assert.match(text, /^the Forklens service at http:\/\/127\.0\.0\.1:\d+ does not answer/);
  });
});
