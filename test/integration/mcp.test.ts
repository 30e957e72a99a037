import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { AGENT_TOOLS } from '../../server/agents/tools';
import { sandboxHash } from '../support/sandbox-hashes';
import { localProject, startService, type TestService } from '../support/service';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const BOB = '0x3c44cdddb6a900fa2b585dd299e03d12fa4293bc';
const SWAP = sandboxHash('swap-two-hops');

describe('the tools of agents over MCP', function () {
  this.timeout(60_000);
  let service: TestService;
  let client: Client;

  before(async () => {
    service = await startService({ args: ['--sandbox'] });
    client = new Client({ name: 'test', version: '1.0.0' });
    const cli = join(__dirname, '../../dist/cli.js');
    await client.connect(
      new StdioClientTransport({
        command: process.execPath,
        args: [cli, 'mcp', '--data-dir', service.dataDir],
        stderr: 'inherit',
      }),
    );
  });

  after(async () => {
    await client.close();
    await service.stop();
  });

  async function use(
    name: string,
    input: object = {},
  ): Promise<{ text: string; isError: boolean }> {
    const answer = await client.callTool({ name, arguments: { ...input } });
    const [content] = answer.content as { type: string; text: string }[];
    return { text: content!.text, isError: answer.isError === true };
  }

  it('are listed with what they take, and whether they change anything', async () => {
    const { tools } = await client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      Object.keys(AGENT_TOOLS),
    );
    const changing = tools.filter(({ annotations }) => annotations?.readOnlyHint === false);
    assert.deepEqual(
      changing.map(({ name }) => name),
      ['create_fork'],
    );
    for (const { name, description } of tools) assert.ok((description ?? '').length > 20, name);
  });

  it('explain a transaction', async () => {
    const { text, isError } = await use('analyze_transaction', {
      chain: 'sandbox',
      transaction: SWAP,
    });
    assert.equal(isError, false);
    assert.match(text, /^✓ Succeeded {2}0x/);
    assert.match(text, /CALL Router\.swapExactTokensForTokens\(/);
    assert.match(text, /alice\s+HBR\s+−1,?000/);
    // eslint-disable-next-line no-control-regex -- colours are for terminals
    assert.doesNotMatch(text, /\u001b\[/);
  });

  it('give exact balance changes', async () => {
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

  it('simulate a transaction that nobody has sent', async () => {
    const { text } = await use('simulate_transaction', {
      ...{ chain: 'sandbox', from: ALICE, to: BOB, value: '1000000000000000000' },
    });
    assert.match(text, /^The transaction would succeed in block \d+ of sandbox\./);
    assert.match(text, /bob\s+ETH\s+\+1/);
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

  it('answer in words where something is wrong', async () => {
    const chain = await use('analyze_transaction', { chain: 'nowhere', transaction: SWAP });
    assert.equal(chain.isError, true);
    assert.match(chain.text, /^chain "nowhere" is not configured; accepted: /);
    const fork = await use('create_fork', { chain: 'nowhere', name: 'x' });
    assert.match(fork.text, /^chain nowhere is not configured; accepted: .*sandbox/);
    const hash = await use('analyze_transaction', { chain: 'sandbox', transaction: '0x12' });
    assert.equal(hash.isError, true);
    assert.match(hash.text, /transaction/);
  });

  it('say where there is no service', async () => {
    await service.kill();
    const { text, isError } = await use('list_chains');
    assert.equal(isError, true);
    assert.match(text, /^the Forklens service at http:\/\/127\.0\.0\.1:\d+ does not answer/);
  });
});
