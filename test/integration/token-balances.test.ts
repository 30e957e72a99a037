import assert from 'node:assert/strict';
import type { TokenBalances } from '../../server/api/token-balances';
import { sandboxService, type SandboxService } from '../support/shared/sandbox-service';

const ALICE = '0x70997970c51812dc3a010c7d01b50e0d17dc79c8';
const HBR = '0x9fe46736679d2d9a65f0992f2272de9f3c7fa6e0';
const VAULT = '0xc3e53f4d16ae77db1c982e75a937b9f60fe63690';

describe('token balances of an address', function () {
  this.timeout(60_000);
  let service: SandboxService;
  before(async () => {
    service = await sandboxService();
  });
  after(() => service.release());

  const read = (address: string, query = '') =>
    service.request<TokenBalances>('GET', `/v1/explorer/sandbox/address/${address}/tokens${query}`);

  it('are those of the tokens that the chain names, as of its newest block', async () => {
    const { data, message } = await read(ALICE);
    assert.equal(message, 'OK');
    assert.deepEqual([data.address, data.chain, data.blockNumber], [ALICE, 'sandbox', 18]);
    assert.deepEqual(
      data.balances.map(({ symbol, amount, rawAmount }) => [symbol, amount || `${rawAmount} raw`]),
      [
        ['WETH', '3.493567275176201372'],
        ['HBR', '8754.5'],
        ['hUSD', '900'],
        ['OLD', '1000'],
        ['TOLL', '890'],
        ['GOLD', '10'],
        ['PTS', '500 raw'],
      ],
    );
    assert.ok(data.balances.every(({ isListed }) => isListed === undefined));
    assert.ok(data.unanswered < data.asked);
  });

  it('refuse what is no list of addresses', async () => {
    const { status, message } = await read(ALICE, `?tokens=${HBR},0x12`);
    assert.equal(status, 400);
    assert.match(message, /up to 50 addresses, by commas/);
    const many = Array.from({ length: 51 }, () => VAULT).join(',');
    assert.equal((await read(ALICE, `?tokens=${many}`)).status, 400);
  });
});
