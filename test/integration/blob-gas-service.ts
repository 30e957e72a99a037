import assert from 'node:assert/strict';
import { headOfEngine } from '../../server/evm/forms/block-header';
import { toQuantity } from '../../server/evm/forms/quantity';
import { EngineBlobGas } from '../../server/execution/prefix/engine-blob-gas';
import { startService, type TestService } from '../support/service';
import { UpstreamProxy, withoutDebugApi } from '../support/upstream-proxy';
import { ALICE, BOB, ethChain, TestChain, testEngines } from './fork-upstream';

/** Stores BLOBBASEFEE in slot 0 if it gets no call data, and returns it. */
export const METER = `0x${'b1'.repeat(20)}`;
const METER_CODE = '0x4a36600857805f555b5f5260205ff3';

/** Time and excess of a mainnet block of 2026, in the second blob parameter fork. */
export const [TIME, EXCESS] = [1_771_324_715, 171_155_899n];

/** Start of the second blob parameter fork of mainnet (EIP-7892), Unix seconds. */
export const BPO2 = 1_767_747_671;

/** A service whose chain has mainnet's schedule of blob gas, without a debug API. */
export interface BlobGasService {
  readonly service: TestService;
  readonly chain: TestChain;
  /** The block with the excess. */
  readonly height: string;
  /** A block before the second blob parameter fork. */
  readonly beforeFork: string;
  close(): Promise<void>;
}

export async function startBlobGasService(): Promise<BlobGasService> {
  const engines = await testEngines();
  const chain = await TestChain.start(engines.start, 1, 'osaka');
  const { rpc } = chain.engine;
  await rpc.request('anvil_setCode', [METER, METER_CODE]);
  await chain.mine();
  await rpc.request('anvil_setBalance', [BOB.address, toQuantity(10n ** 24n)]);
  const head = await headOfEngine(rpc);
  // On the engine of the chain, a block has the header of a real one.
  const real = { ...head, excessBlobGas: toQuantity(EXCESS), timestamp: '0x0' as const };
  const mineAt = async (time: number): Promise<string> => {
    const plain = new EngineBlobGas(rpc, { chainId: 1, hardfork: 'prague' }, 1, real);
    await plain.enterOriginal(real);
    await rpc.request('evm_setNextBlockTimestamp', [time]);
    await chain.send(BOB, { to: ALICE.address });
    await rpc.request('evm_mine', []);
    const mined = await headOfEngine(rpc);
    assert.deepEqual([BigInt(mined.excessBlobGas!), Number(mined.timestamp)], [EXCESS, time]);
    return mined.number;
  };
  const beforeFork = await mineAt(BPO2 - 14);
  const height = await mineAt(TIME);
  const proxy = await UpstreamProxy.start(chain.engine.url);
  proxy.fault = withoutDebugApi;
  const service = await startService({
    counted: true,
    config: {
      chains: [ethChain(proxy.url, { hardfork: 'osaka' })],
      prices: { source: 'none' },
    },
  });
  const close = async (): Promise<void> => {
    await service.stop();
    await proxy.close();
    await engines.close();
  };
  return { service, chain, height, beforeFork, close };
}
