import assert from 'node:assert/strict';
import type { RpcBlock } from '../../server/evm/forms/types';
import { call } from '../support/json-rpc';
import { UpstreamProxy } from '../support/upstream-proxy';
import { TestForks } from './fork-service';
import {
  ALICE,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';

/** Fields that blocks of some chains lack. */
const OMITTED = [
  'sha3Uncles',
  'difficulty',
  'logsBloom',
  'nonce',
  'mixHash',
  'uncles',
  'stateRoot',
];

describe('a chain whose blocks lack fields of a header', () => {
  let engines: TestEngines;
  let proxy: UpstreamProxy;
  let service: TestForks;
  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    await chain.send(ALICE, { to: COUNTER });
    await chain.mine();
    proxy = await UpstreamProxy.start(chain.engine.url);
    const sparse = (answer: unknown): unknown => {
      if (Array.isArray(answer)) return answer.map(sparse);
      const { result } = answer as { result?: Record<string, unknown> | null };
      if (typeof result !== 'object' || result === null || !('parentHash' in result)) return answer;
      const kept = Object.entries(result).filter(([name]) => !OMITTED.includes(name));
      return { ...(answer as object), result: Object.fromEntries(kept) };
    };
    proxy.rewrite = sparse;
    service = await TestForks.open(engines, ethChain(proxy.url, { hardfork: 'prague' }));
  });
  after(async () => {
    await service.close();
    await proxy.close();
    await engines.close();
  });

  for (const position of [undefined, 1]) {
    it(`is forked, at position ${position ?? 'end'}`, async () => {
      const { rpc } = await service.create({ height: '0x1', position });
      assert.equal(BigInt(await call(rpc, 'eth_getStorageAt', COUNTER, '0x0', 'latest')), 1n);
      await call(rpc, 'evm_mine');
      const block = await call<RpcBlock>(rpc, 'eth_getBlockByNumber', 'latest', false);
      assert.equal(block.number, '0x2');
    });
  }
});
