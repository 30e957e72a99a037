import assert from 'node:assert/strict';
import { syntheticTraces, type TracedCall } from '../../server/composition/synthetic-calls';
import { SyntheticNode } from '../../server/composition/synthetic-node';
import type { RpcClient } from '../../server/ethereum/json-rpc';
import { CALL_TRACER } from '../../server/execution/tracing/debug-api';
import { ALICE, COUNTER, TestChain, testEngines, type TestEngines } from './fork-upstream';

const FRAME_FIELDS = [
  ...['from', 'gas', 'gasUsed', 'to', 'input', 'output', 'error', 'revertReason'],
  ...['calls', 'logs', 'value', 'type'],
];
const LOG_FIELDS = ['address', 'topics', 'data', 'position', 'index'];
const CALLER = `0x${'ca'.repeat(20)}`;
/** Calls the counter, then calls it with data that make it revert. */
const CALLER_CODE = [
  '0x',
  `5f5f5f5f5f73${COUNTER.slice(2)}5af1`,
  `60ff5f53`,
  `5f5f60015f5f73${COUNTER.slice(2)}5af1`,
  '00',
].join('');

const fieldsOf = (value: unknown): string[] => Object.keys(value as object);

function assertOrder(frame: TracedCall): void {
  const fields = fieldsOf(frame);
  assert.deepEqual(
    fields,
    FRAME_FIELDS.filter((field) => fields.includes(field)),
  );
  for (const log of frame.logs ?? []) assert.deepEqual(fieldsOf(log), LOG_FIELDS);
  frame.calls?.forEach(assertOrder);
}

async function answersOf(rpc: RpcClient, hash: string): Promise<[string[], string[], TracedCall]> {
  const [transaction, receipt, trace] = await Promise.all([
    rpc.request('eth_getTransactionByHash', [hash]),
    rpc.request('eth_getTransactionReceipt', [hash]),
    rpc.request('debug_traceTransaction', [hash, CALL_TRACER]),
  ]);
  return [fieldsOf(transaction), fieldsOf(receipt), trace as TracedCall];
}

/** V8 discards code that it has optimized for objects whose fields have another order. */
describe('the synthetic transactions of the warm-up', () => {
  let engines: TestEngines;
  let real: [string[], string[], TracedCall];

  before(async () => {
    engines = await testEngines();
    const chain = await TestChain.start(engines.start);
    const { rpc } = chain.engine;
    await rpc.request('anvil_setCode', [CALLER, CALLER_CODE]);
    const hash = await chain.send(ALICE, { to: CALLER });
    await chain.mine();
    real = await answersOf(rpc, hash);
  });
  after(() => engines.close());

  it('have the fields of the engine, in its order', async () => {
    const [transaction, receipt, trace] = real;
    assert.deepEqual(
      trace.calls?.map((call) => [call.logs?.length, call.error]),
      [
        [1, undefined],
        [undefined, 'execution reverted'],
      ],
    );
    assertOrder(trace);
    for (const synthetic of syntheticTraces()) {
      const answers = await answersOf(new SyntheticNode(synthetic), '0x1');
      assert.deepEqual(answers.slice(0, 2), [transaction, receipt]);
      assertOrder(answers[2]);
    }
  });
});
