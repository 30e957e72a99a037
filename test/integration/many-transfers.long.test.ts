import assert from 'node:assert/strict';
import { PLAIN_TEXT } from '../../server/agents/agent-tool';
import { printAnalysis } from '../../server/agents/print-analysis';
import { createApiClient, type ApiClient } from '../../server/api/client';
import type { BalanceChange, InvocationFlow } from '../../server/api/explorer';
import type { FundFlow } from '../../server/api/views';
import { startAnvil, type BareAnvil } from '../support/bare-anvil';
import { CommandLine } from '../support/command-line';
import { eventually } from '../support/eventually';
import { call } from '../support/json-rpc';
import { startService, type TestService } from '../support/service';
import { longPauses } from '../support/stalls';

const TRANSFERS = 130_000;
/** For machines that are busy with other work. */
const SLOW_MS = 300_000;
/** Limit of the service's JavaScript heap, in MB. */
const HEAP = 1_200;

const TOKEN = '0x00000000000000000000000000000000000c0de0';
const SENDER = '0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266';
/** Emits `Transfer(caller, 0x1000000 + n, n)` for each n from the number of transfers down to 1. */
const CODE = `0x62${TRANSFERS.toString(16).padStart(6, '0')}5b805f528063010000001733\
7fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef60205fa3600190038060045700`;

describe('a transaction with 130,000 transfers', function () {
  this.timeout(SLOW_MS);
  let anvil: BareAnvil;
  let service: TestService;
  let client: ApiClient;
  let hash: string;
  /** Before the first analysis. */
  let pauses: number;
  before(async () => {
    const rules = ['--hardfork', 'cancun', '--gas-limit', '1000000000', '--chain-id', '4242'];
    anvil = await startAnvil(...rules);
    await call(anvil.url, 'anvil_setCode', TOKEN, CODE);
    const sent = { from: SENDER, to: TOKEN, gas: '0x2faf0800' };
    hash = await call(anvil.url, 'eth_sendTransaction', sent);
    await eventually(async () => {
      assert.ok(await call<object | null>(anvil.url, 'eth_getTransactionReceipt', hash));
    }, 60_000);
    const chain = { slug: 'many', chainId: 4242, nativeSymbol: 'ETH', rpcUrls: [anvil.url] };
    service = await startService({
      config: { chains: [chain], prices: { source: 'none' } },
      env: { NODE_OPTIONS: `--max-old-space-size=${HEAP}` },
    });
    const { url: baseUrl, key: accessKey } = service;
    client = createApiClient(() => Promise.resolve({ baseUrl, accessKey }));
    pauses = await longPauses(service, 1);
  });
  after(async () => {
    await service.stop();
    await anvil.stop();
  });
  const request = () => ({ params: { chain: 'many', transaction: hash } });

  it('is answered whole in every view, in bounded memory', async () => {
    const flow: InvocationFlow = await client.call('getInvocationFlow', request());
    assert.equal(Object.keys(flow.dataMap).length, TRANSFERS + 2);
    const changes: BalanceChange = await client.call('getBalanceChange', request());
    assert.equal(changes.balanceChange.length, TRANSFERS + 1);
    const { fundFlow }: FundFlow = await client.call('getFundFlow', request());
    assert.equal(fundFlow.length, TRANSFERS);
    assert.equal(fundFlow.at(-1)?.rawAmount, '1');
  });

  it('is a text of bounded length for a model', async () => {
    const text = await printAnalysis(client, 'many', hash, PLAIN_TEXT);
    assert.ok(text.length < 100_000, `${text.length} characters`);
    assert.match(text, /… and 129\d{3} more calls and events/);
    assert.match(text, /… and 1\d{5} more balance changes/);
  });

  it('is listed whole by the command line', async () => {
    const cli = new CommandLine(service.dataDir, {
      FORKLENS_URL: service.url,
      FORKLENS_ACCESS_KEY: service.key,
    });
    const lines = (await cli.text('tx', 'flow', 'many', hash)).split('\n');
    assert.equal(lines.length, TRANSFERS + 1);
    const changes = (await cli.text('tx', 'balances', 'many', hash)).split('\n');
    assert.equal(changes.length, TRANSFERS + 2);
  });

  it('does not stop other requests: no pause is longer than the collection of the memory', async () => {
    assert.equal((await longPauses(service, 1)) - pauses, 0);
  });
});
