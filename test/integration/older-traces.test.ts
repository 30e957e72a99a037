import assert from 'node:assert/strict';
import type { Fork } from '../../server/api/fork';
import { call, refusal } from '../support/json-rpc';
import { UpstreamProxy, type Fault, type ProxiedCall } from '../support/upstream-proxy';
import { TestForks } from './fork-service';
import {
  ALICE,
  COUNTER,
  ethChain,
  TestChain,
  testEngines,
  type TestEngines,
} from './fork-upstream';

const CALL_TRACER = { tracer: 'callTracer' };
const isTrace = ({ method }: ProxiedCall): boolean => /^(debug|trace|ots)_/.test(method);
/** Errors of providers, none of which says anything about the trace. */
const ERRORS = [
  [-32601, 'the method does not exist'],
  [-32600, 'debug_traceTransaction is not available on the Free tier - upgrade to Pay As You Go'],
  [-32000, 'API key is not allowed'],
  [-32000, 'required historical state unavailable (reexec=128)'],
  [-32603, 'something that nobody has seen before'],
  [-32011, 'no backend is currently healthy to serve traffic'],
] as const;

describe('traces of a time before the fork point', function () {
  this.timeout(60_000);
  let engines: TestEngines;
  let chain: TestChain;
  let proxy: UpstreamProxy;
  let hash: string;

  before(async () => {
    engines = await testEngines();
    chain = await TestChain.start(engines.start);
    for (const data of ['0x', '0x', '0xff']) {
      hash = await chain.send(ALICE, { to: COUNTER, data });
      await chain.mine();
    }
    proxy = await UpstreamProxy.start(chain.engine.url);
  });
  after(async () => {
    await proxy.close();
    await engines.close();
  });

  async function forkWith(
    fault: (calls: readonly ProxiedCall[]) => Fault | undefined,
    use: (rpc: string, fork: Fork) => Promise<void>,
  ): Promise<void> {
    proxy.fault = fault;
    const service = await TestForks.open(engines, ethChain(proxy.url, { hardfork: 'prague' }));
    try {
      const fork = await service.create({ height: '0x3' });
      await use(fork.rpc, fork);
    } finally {
      proxy.fault = undefined;
      await service.close();
    }
  }

  for (const [code, message] of ERRORS) {
    it(`are executed again where the node says ${code} ${message}`, async () => {
      const own = await chain.engine.rpc.request('trace_transaction', [hash]);
      const fault = (calls: readonly ProxiedCall[]) =>
        calls.some(isTrace) ? { error: { code, message } } : undefined;
      await forkWith(fault, async (rpc) => {
        const frame = await call<{ to: string; error: string }>(
          rpc,
          'debug_traceTransaction',
          hash,
          CALL_TRACER,
        );
        assert.deepEqual([frame.to, frame.error], [COUNTER, 'execution reverted']);
        const flat = await call<object[]>(rpc, 'trace_transaction', hash);
        assert.equal(flat.length, (own as object[]).length);
        const traced = await call<object[]>(rpc, 'ots_traceTransaction', hash);
        assert.equal(traced.length, 1);
        assert.equal(await call(rpc, 'ots_getTransactionError', hash), '0xdeadbeef');
      });
    });
  }

  it('of a call are those of the state and the block that it names', async () => {
    const fault = (calls: readonly ProxiedCall[]) =>
      calls.some(isTrace) ? { error: { code: -32601, message: 'no such method' } } : undefined;
    await forkWith(fault, async (rpc) => {
      const outputs = [];
      for (const block of ['0x1', '0x2', 'latest']) {
        const frame = await call<{ output: string }>(
          rpc,
          'debug_traceCall',
          { to: COUNTER, from: ALICE.address },
          block,
          CALL_TRACER,
        );
        outputs.push(Number(frame.output));
      }
      assert.deepEqual(outputs, [2, 3, 3]);
      const flat = await call<object[]>(
        rpc,
        'debug_traceCall',
        { to: COUNTER, from: ALICE.address },
        '0x1',
        { tracer: 'flatCallTracer' },
      );
      assert.equal(flat.length, 1);
    });
  });

  it('come from the other traces of a node whose state is pruned', async () => {
    const pruned = (calls: readonly ProxiedCall[]): Fault | undefined => {
      if (calls.some(({ method }) => method.startsWith('debug_'))) {
        return { error: { code: -32601, message: 'the method does not exist' } };
      }
      const isOld = calls.some(({ params }) =>
        params?.some((param) => param === '0x2' || param === '0x1'),
      );
      const reads = calls.some(({ method }) =>
        /^eth_(get(Balance|Code|Storage|Trans.*Count)|call)/.test(method),
      );
      return isOld && reads ? { error: { code: -32000, message: 'missing trie node' } } : undefined;
    };
    await forkWith(pruned, async (rpc) => {
      const frame = await call<Record<string, unknown>>(
        rpc,
        'debug_traceTransaction',
        hash,
        CALL_TRACER,
      );
      const { type, to, from, error, output, input } = frame;
      assert.deepEqual(
        { type, to, from, error, output, input },
        {
          type: 'CALL',
          to: COUNTER,
          from: ALICE.address.toLowerCase(),
          error: 'execution reverted',
          output: '0xdeadbeef',
          input: '0xff',
        },
      );
      const withLogs = { ...CALL_TRACER, tracerConfig: { withLog: true } };
      const { message } = await refusal(rpc, 'debug_traceTransaction', hash, withLogs);
      assert.match(message, /lacks the state of block 2|an archive node is needed/);
    });
  });
});
