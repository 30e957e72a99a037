import { toQuantity } from '../../server/evm/forms/quantity';
import { neverAborted } from '../../server/kernel/async/never-aborted';
import type { Address, Hash, Hex } from '../../server/api/primitives';
import type { RpcClient } from '../../server/evm/forms/json-rpc';
import { executeFirst } from '../../server/execution/prefix/execute-block';
import { fetchReceipts } from '../../server/execution/prefix/upstream-block';
import { CALL_TRACER } from '../../server/execution/tracing/debug-api';
import { ThreadExecutor } from '../../server/execution/workers/thread-executor';
import { ChainClients } from '../../server/chains/upstream/chain-clients';
import { assemble } from '../fidelity/assembler';
import { testEngines } from '../integration/fork-upstream';
import { certainRules } from '../support/block-rules';
import { blockOf, castRun, median, ms, timed, WarmService } from '../support/bench-analysis';
import { MainnetUpstream } from '../support/mainnet-upstream';
import { nodeWith, OUTER, placed, signedCall } from '../support/placed-block';
import { UpstreamProxy } from '../support/upstream-proxy';

/*
 * Measures the executor in worker threads beside anvil, and `cast run`, in turns on the same upstream: a transaction of a block without
 * debug API, with all earlier ones, and many calls. The figures are medians; compare the ratios.
 *
 *     npm run bench -- executor
 */

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3);
const executor = new ThreadExecutor();

/** Executes all earlier transactions of the block and records the transaction, from nothing. @returns whether receipts are equal */
async function inThread(url: string, number: number, hash: Hash): Promise<boolean> {
  const clients = new ChainClients();
  try {
    const rpc: RpcClient = clients.of({ slug: 'eth', chainId: 1, rpcUrls: [url] });
    const signal = neverAborted();
    const block = await blockOf(rpc, number);
    const index = block.transactions.findIndex((one) => one.hash === hash);
    const rules = certainRules('prague');
    const receipts = await fetchReceipts(rpc, block, index, { signal, rules });
    const open = await executor.open(
      { rpc, chainId: 1, hardfork: 'prague', header: block },
      signal,
    );
    try {
      const { firstDifference } = await executeFirst(open, block, receipts);
      await open.record(block.transactions[index]!);
      return firstDifference === undefined;
    } finally {
      open.close();
    }
  } finally {
    await clients.close();
  }
}

async function blocks(): Promise<void> {
  const mainnet = await MainnetUpstream.start({ huge: true });
  const proxy = await UpstreamProxy.start(mainnet.url);
  const service = await WarmService.start();
  try {
    const block = await blockOf(mainnet.rpc, mainnet.huge);
    const before = (await blockOf(mainnet.rpc, mainnet.busy)).transactions[0]!.hash;
    const rows: Record<string, object> = {};
    await inThread(proxy.url, mainnet.busy, before);
    for (const latency of [0, 50]) {
      proxy.latencyMs = latency;
      for (const index of [0, 9, 199]) {
        const { hash } = block.transactions[index]!;
        const [anvil, thread, cast]: [number[], number[], number[]] = [[], [], []];
        let isEqual = true;
        for (let round = 0; round < ROUNDS; round++) {
          anvil.push((await service.analyze(proxy.url, before, hash)).took);
          thread.push(
            await timed(async () => {
              isEqual &&= await inThread(proxy.url, mainnet.huge, hash);
            }),
          );
          cast.push(await castRun(proxy.url, hash));
        }
        rows[`index ${index}, ${latency} ms`] = {
          anvil: ms(median(anvil)),
          thread: ms(median(thread)),
          cast: ms(median(cast)),
          'thread / anvil': (median(thread) / median(anvil)).toFixed(2),
          'cast / anvil': (median(cast) / median(anvil)).toFixed(1),
          'cast / thread': (median(cast) / median(thread)).toFixed(1),
          isEqual,
        };
      }
    }
    console.table(rows);
  } finally {
    await service.stop();
    await proxy.close();
    await mainnet.close();
  }
}

const INNER = `0x${'c1'.repeat(20)}`;

/** Calls of one frame: anvil's tracer takes quadratic time for them. */
async function calls(gas: bigint): Promise<void> {
  const code = assemble(`:loop 0 0 0 0 0 ${INNER} gas call pop gas 60000 lt @loop jumpi`);
  const engines = await testEngines();
  try {
    const { rpc } = await engines.start({ chainId: 1, hardfork: 'prague' });
    await rpc.request('anvil_setCode', [OUTER, code]);
    const call = { to: OUTER, gas: toQuantity(gas) };
    const [anvil, thread]: [number[], number[]] = [[], []];
    let found = 0;
    for (let round = 0; round < ROUNDS; round++) {
      anvil.push(await timed(() => rpc.request('debug_traceCall', [call, 'latest', CALL_TRACER])));
      const codes = { [OUTER]: code } as Record<Address, Hex>;
      const open = await executor.open(placed(nodeWith(codes)), neverAborted());
      const transaction = await signedCall(OUTER, gas);
      thread.push(
        await timed(async () => {
          const { calls: made } = await open.record(transaction);
          found = (made.answer as { calls: unknown[] }).calls.length;
        }),
      );
      open.close();
    }
    console.log(`${found} calls: anvil ${ms(median(anvil))} ms, thread ${ms(median(thread))} ms`);
  } finally {
    await engines.close();
  }
}

async function main(): Promise<void> {
  for (const gas of [100_000n, 1_000_000n, 3_000_000n]) await calls(gas);
  await blocks();
}

void main();
