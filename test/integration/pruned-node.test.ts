import assert from 'node:assert/strict';
import { getCreateAddress } from 'ethers';
import type { BalanceVerification } from '../../server/api/verification';
import type { Analysis } from '../../server/api/views';
import { startService, type TestService } from '../support/service';
import { UpstreamProxy, type ProxiedCall } from '../support/upstream-proxy';
import { ALICE, BOB, ethChain, TestChain, testEngines, type TestEngines } from './fork-upstream';

/** Emits `Transfer(caller, BOB, 7)` and sends its value to BOB. */
const RUNTIME = [
  '60075f52', // the amount
  `73${BOB.address.slice(2).toLowerCase()}`,
  '33',
  '7fddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  '60205fa3',
  `5f5f5f5f3473${BOB.address.slice(2).toLowerCase()}5af100`,
].join('');
const CREATION = `0x60${(RUNTIME.length / 2).toString(16).padStart(2, '0')}80600a5f395ff3fe${RUNTIME}`;
const EMITTER = getCreateAddress({ from: ALICE.address, nonce: 0 }).toLowerCase();

const readsState = ({ method, params = [] }: ProxiedCall): boolean =>
  /^eth_(getBalance|getCode|getStorageAt|getTransactionCount|getProof|call|createAccessList|estimateGas)$/.test(
    method,
  ) && !params.some((one) => one === 'latest');
type Verified = BalanceVerification;

const isDebug = ({ method }: ProxiedCall): boolean => method.startsWith('debug_');
const isTrace = ({ method }: ProxiedCall): boolean => /^(debug|trace|ots)_/.test(method);

describe('analyses by a node whose state is pruned', function () {
  this.timeout(120_000);
  let engines: TestEngines;
  let chain: TestChain;
  let hash: string;

  before(async () => {
    engines = await testEngines();
    chain = await TestChain.start(engines.start);
    await chain.send(ALICE, { data: CREATION });
    await chain.mine();
    await chain.send(BOB, { to: EMITTER, value: 3n });
    hash = await chain.send(ALICE, { to: EMITTER, value: 5n });
    await chain.mine();
    for (let block = 0; block < 3; block++) await chain.mine();
  });
  after(() => engines.close());

  /** @param refuses calls that the node refuses, besides reads of old state */
  async function analysed(
    refuses: (call: ProxiedCall) => boolean,
    use: (service: TestService) => Promise<void>,
  ): Promise<void> {
    const proxy = await UpstreamProxy.start(chain.engine.url);
    proxy.rewrite = (answer, calls) => {
      const rewritten = calls.map((call, index) => {
        const { id } = call;
        if (readsState(call)) {
          return { jsonrpc: '2.0', id, error: { code: -32000, message: 'missing trie node 0x12' } };
        }
        if (refuses(call)) {
          const error = { code: -32601, message: `the method ${call.method} does not exist` };
          return { jsonrpc: '2.0', id, error };
        }
        return Array.isArray(answer) ? (answer as unknown[])[index] : answer;
      });
      return Array.isArray(answer) ? rewritten : rewritten[0];
    };
    const config = {
      chains: [ethChain(proxy.url, { hardfork: 'prague' })],
      prices: { source: 'none' as const },
    };
    const service = await startService({ counted: true, config });
    try {
      await use(service);
    } finally {
      await service.stop();
      await proxy.close();
    }
  }
  const analysisOf = (service: TestService) =>
    service.request<Analysis>('GET', `/v1/explorer/eth/transaction/${hash}/analysis?proof=wait`);

  /** Calls and events in the order of execution. */
  const steps = ({ dataMap }: Analysis): string[] =>
    Object.entries(dataMap)
      .filter(([id]) => id !== '-1')
      .map(([, node]) =>
        'event' in node
          ? `event of ${node.event.contract}`
          : `call of ${node.invocation.address} with ${node.invocation.value}`,
      );
  const expected = [
    `call of ${EMITTER} with 0.000000000000000005`,
    `event of ${EMITTER}`,
    `call of ${BOB.address.toLowerCase()} with 0.000000000000000005`,
  ];

  it('have the traces of the node, and say what could not be compared', async () => {
    await analysed(
      () => false,
      async (service) => {
        const { data, message } = await analysisOf(service);
        assert.equal(message, 'OK');
        assert.deepEqual(steps(data), expected);
        const { level, method, reason, native, tokens, compared } = data.verification as Verified;
        assert.deepEqual(
          { level, method, reason, native, tokens, compared },
          {
            level: 'state-proved',
            method: 'debug',
            reason: undefined,
            native: 'verified',
            tokens: 'unchecked',
            compared: { native: 3, tokens: 0 },
          },
        );
        const claimed = data.summary?.clauses.at(-1);
        assert.deepEqual([claimed?.kind, claimed?.gave[0]?.isClaimed], ['sent', true]);
      },
    );
  });

  it('have its traces of calls, with the events of the receipt, where it has no others', async () => {
    await analysed(isDebug, async (service) => {
      const { data, message } = await analysisOf(service);
      assert.equal(message, 'OK');
      assert.deepEqual(steps(data), expected);
      const { level, method, executor, reason, native, tokens } = data.verification as Verified;
      assert.deepEqual(
        { level, method, executor, native, tokens },
        {
          level: 'receipt',
          method: 'debug',
          executor: 'node',
          native: 'unchecked',
          tokens: 'unchecked',
        },
      );
      assert.match(reason ?? '', /neither debug_traceTransaction nor the state before the block/);
      assert.equal(data.stateDiff, null);
      assert.deepEqual(
        data.fundFlow?.map(({ standard, verified }) => [standard, verified]),
        [
          ['native', undefined],
          ['erc20', undefined],
          ['native', undefined],
        ],
      );
    });
  });

  it('are refused with the reason where the node has no traces', async () => {
    await analysed(isTrace, async (service) => {
      const { code, message, status } = await analysisOf(service);
      assert.deepEqual([status, code], [502, 50201]);
      assert.match(message, /state of block 1|archive node/);
    });
  });
});
