import assert from 'node:assert/strict';
import { toQuantity } from '../../server/evm/forms/quantity';
import { call, refusal } from '../support/json-rpc';
import { createFork, type TestService } from '../support/service';
import { METER, startBlobGasService, type BlobGasService } from './blob-gas-service';
import { BOB } from './fork-upstream';

describe('the price of blob gas in calls on pending and older blocks of a fork', () => {
  let started: BlobGasService;
  let service: TestService;
  let height: string;

  before(async function () {
    this.timeout(60_000);
    started = await startBlobGasService();
    ({ service, height } = started);
  });
  after(() => started.close());

  const metered = async (rpc: string, block = 'latest'): Promise<bigint> =>
    BigInt(await call(rpc, 'eth_call', { to: METER, data: '0x01' }, block));

  it('is that of the block', async () => {
    const { rpc } = await createFork(service, { chainId: 1, height });
    await call(rpc, 'anvil_setNextBlockBaseFeePerGas', '0x7');
    const prices: bigint[] = [];
    for (let i = 0; i < 3; i++) {
      await call(rpc, 'evm_mine');
      prices.push(await metered(rpc));
    }
    const next = BigInt(await call(rpc, 'eth_blobBaseFee'));
    assert.equal(new Set(prices.concat(next)).size, 4);
    const head = BigInt(await call(rpc, 'eth_blockNumber'));
    for (const [index, price] of prices.entries()) {
      assert.equal(await metered(rpc, toQuantity(head - 2n + BigInt(index))), price);
    }
    assert.equal(await metered(rpc, 'pending'), next);
    // Code that reads no price is executed by the engine.
    const hasPrice = { [METER]: { code: '0x5f5f5260205ff3' } };
    const free = await call(rpc, 'eth_call', { to: METER }, toQuantity(head - 1n), hasPrice);
    assert.equal(BigInt(free), 0n);
    // Reverts with the price.
    const reverting = { [METER]: { code: '0x4a5f5260205ffd' } };
    const { data } = await refusal(rpc, 'eth_call', { to: METER }, 'pending', reverting);
    assert.equal(BigInt(data as string), next);
  });

  it('counts in estimates, and is refused in what has no other executor', async () => {
    const { rpc } = await createFork(service, { chainId: 1, height });
    await call(rpc, 'evm_mine');
    const older = await call(rpc, 'eth_blockNumber');
    await call(rpc, 'evm_mine');
    // Writes a slot unless the price is 1 wei, which is the engine's.
    const code = { [METER]: { code: '0x4a600114600b5760015f555b00' } };
    const estimated = (block: string, given = {}): Promise<string> =>
      call(rpc, 'eth_estimateGas', { to: METER, ...given }, block, code);
    const gas = 21_000 + 2 + 3 * 3 + 10 + 3 + 2 + 22_100 + 1;
    for (const block of ['latest', 'pending', older]) {
      const found = Number(await estimated(block));
      assert.ok(found >= gas && found < gas * 1.016, `${block}: ${found}`);
    }
    const reverting = { [METER]: { code: '0x4a5f5260205ffd' } };
    const { code: reason } = await refusal(
      rpc,
      'eth_estimateGas',
      { to: METER },
      'pending',
      reverting,
    );
    assert.equal(reason, 3);
    const { message } = await refusal(
      rpc,
      'eth_estimateGas',
      { to: METER, gas: '0x7530' },
      older,
      code,
    );
    assert.match(message, /gas/);
    const tracer = { tracer: 'callTracer' };
    for (const block of ['pending', older]) {
      for (const [method, options] of [
        ['debug_traceCall', tracer],
        ['debug_traceCall', { tracer: 'flatCallTracer' }],
        ['eth_createAccessList'],
      ] as const) {
        const refused = await refusal(
          rpc,
          method,
          { to: METER },
          block,
          ...(options ? [options] : []),
        );
        assert.deepEqual(
          [refused.code, refused.message],
          [
            -32004,
            `BLOBBASEFEE in this block is not known to the engine, and the calls were not executed with the right one: ${method} has no other executor; eth_call has`,
          ],
        );
        // What reads no price is answered by the engine.
        await call(rpc, method, { to: BOB.address }, block, ...(options ? [options] : []));
      }
    }
    const { output } = await call<{ output: string }>(
      rpc,
      'debug_traceCall',
      { to: METER, data: '0x01' },
      'latest',
      tracer,
    );
    assert.equal(BigInt(output), await metered(rpc));
  });
});
