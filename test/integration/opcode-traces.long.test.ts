import assert from 'node:assert/strict';
import { call, refusal } from '../support/json-rpc';
import { createFork, startService } from '../support/service';

/** JUMPDEST PUSH0 JUMP: three instructions for 11 gas. */
const LOOP = '0x5b5f56';
/** The same with 1,000 words on the stack. */
const DEEP_LOOP = `0x${'5f'.repeat(1_000)}5b6103e856`;
const TOO_LONG = {
  code: -32005,
  message:
    "the list of instructions would need more than 536870912 bytes of the engine's memory; use callTracer or prestateTracer, less gas, or disableStack",
};

describe('instruction traces', function () {
  this.timeout(120_000);
  it("are limited by the engine's memory", async () => {
    // An engine that needed more would end, with another error.
    const service = await startService({
      args: ['--sandbox'],
      config: { engine: { memoryMegabytes: 600 } },
    });
    const { rpc } = await createFork(service, { chainId: 31337 });
    const listed = await call<{ structLogs: unknown[] }>(
      rpc,
      'debug_traceCall',
      { data: LOOP, gas: '0x186a0' },
      'latest',
      {},
    );
    assert.ok(listed.structLogs.length > 10_000);
    const whole = { data: LOOP, gas: '0xee6b280' };
    assert.deepEqual(await refusal(rpc, 'debug_traceCall', whole, 'latest', {}), TOO_LONG);
    assert.deepEqual(await refusal(rpc, 'debug_traceCall', whole, 'latest'), TOO_LONG);
    const deep = { data: DEEP_LOOP, gas: '0xf4240' };
    assert.deepEqual(await refusal(rpc, 'debug_traceCall', deep, 'latest', {}), TOO_LONG);
    const shallow = await call<{ structLogs: unknown[] }>(
      rpc,
      'debug_traceCall',
      { ...deep, gas: '0x30d40' },
      'latest',
      { disableStack: true },
    );
    assert.ok(shallow.structLogs.length > 10_000);
    await service.stop();
  });

  it('that need more memory than allowed end their engine, and a new one replaces it', async function () {
    if (process.platform !== 'linux') this.skip(); // memory is unlimited on other systems
    const service = await startService({
      args: ['--sandbox'],
      config: { engine: { memoryMegabytes: 160 } },
    });
    const { rpc } = await createFork(service, { chainId: 31337 });
    await call(rpc, 'evm_mine');
    const head = await call(rpc, 'eth_blockNumber');
    const large = { data: LOOP, gas: '0x124f80' };
    assert.deepEqual(await refusal(rpc, 'debug_traceCall', large, 'latest', {}), {
      code: -32002,
      message:
        "the fork's engine ended: it exceeded its memory limit (engine.memoryMegabytes); request less in one call, for example with less gas or another tracer",
    });
    assert.equal(await call(rpc, 'eth_blockNumber'), head);
    await service.stop();
  });
});
