import * as z from 'zod';
import type { MinedTransaction, Network, SpentGas, SpentGasSource } from '../../analysis/ports';
import { ApiError } from '../../api/errors';
import type { OnProgress } from '../../api/progress';
import { timeoutSignal } from '../../api/timeout-signal';
import { RpcError, type RpcCallOptions, type RpcClient } from '../../evm/forms/json-rpc';
import type { TracedOn, TransactionTracer } from '../engines/transaction-tracer';

const TIMEOUT_MS = 30_000;
/** Gas above which instructions are not listed: a list of 1,000,000 instructions has about 60 MB of JSON. */
const MAX_LISTED_GAS = 6_000_000;

/** Makes go-ethereum and compatible clients list the instructions, without stack, memory and storage. */
export const STEPS_TRACER = {
  disableStack: true,
  disableStorage: true,
  disableMemory: true,
  enableMemory: false,
} as const;

/**
 * Returns the refund counter after the last instruction. For transactions that it mined, Anvil reports the counter only to a custom tracer.
 */
const COUNTER_TRACER = {
  tracer: `{
    counter: 0,
    step: function (log) { this.counter = log.getRefund(); },
    fault: function () {},
    result: function () { return this.counter; }
  }`,
} as const;

const count = z.int().min(0);
/**
 * A refund counter, which may be below zero while a frame runs. Engines list it then with its sign, or as an unsigned number of their own
 * width, such as 2^64 - n, whose last digits a JSON number loses.
 */
const refundCounter = z.union([z.number(), z.string()]).nullish();
const stepsSchema = z.object({
  gas: count,
  structLogs: z.array(
    z.object({ depth: count, gas: count, gasCost: count, refund: refundCounter }),
  ),
});
const quantity = z.string().regex(/^0x[0-9a-f]+$/);
const parityTraceSchema = z.array(
  z.object({ traceAddress: z.array(z.int()), result: z.object({ gasUsed: quantity }).nullish() }),
);

/** Whether the instructions of an execution are few enough to be listed. @param gas gas that it used */
export const isListed = (gas: number): boolean => gas <= MAX_LISTED_GAS;

/**
 * Reads the top call's gas from a list of instructions.
 * @param answer result of `STEPS_TRACER`
 * @param created code that a creation deployed, `0x` for none
 * @param gasUsed gas of the receipt; undefined if the gas for authorizations may differ (EIP-7702)
 * @param options.listsZero whether a refund counter is listed if it is zero; false for an engine
 * @returns undefined if the answer is not such a list, or belongs to another execution
 */
export function spentBySteps(
  answer: unknown,
  gasUsed: number | undefined,
  created: string,
  { listsZero = true }: { listsZero?: boolean } = {},
): SpentGas | undefined {
  const read = stepsSchema.safeParse(answer);
  if (!read.success || read.data.gas !== (gasUsed ?? read.data.gas)) return undefined;
  const { structLogs: steps } = read.data;
  const first = steps[0];
  if (!first) return { spent: 0, counter: 0 };
  const last = steps.findLast(({ depth }) => depth === first.depth) ?? first;
  const deposit = (CODE_BYTE * (created.length - 2)) / 2;
  const isCounted =
    !listsZero || steps.some(({ refund }) => refund !== undefined && refund !== null);
  const counter = counterOf(steps.at(-1)?.refund ?? 0);
  return {
    spent: first.gas - (last.gas - last.gasCost) + deposit,
    ...(isCounted && counter !== undefined ? { counter } : {}),
  };
}

/** No transaction earns more: it would have to use more gas than any block has. */
const MAX_COUNTER = 2 ** 31;

/** @returns undefined for a counter below zero, which the end of an execution cannot have */
function counterOf(listed: number | string): number | undefined {
  const counter = Number(listed);
  return Number.isInteger(counter) && counter >= 0 && counter < MAX_COUNTER ? counter : undefined;
}

/** Yellow paper, appendix G: gas for each byte of deployed code. */
const CODE_BYTE = 200;

/** Uses the network's own node, else executes the transaction again on an engine. */
export class TracedSpentGas implements SpentGasSource {
  constructor(private readonly tracer: TransactionTracer) {}

  async spentGas(
    network: Network,
    mined: MinedTransaction,
    request: { created: string; needsCounter: boolean },
    signal: AbortSignal,
    onProgress?: OnProgress,
  ): Promise<SpentGas | undefined> {
    const limited = AbortSignal.any([signal, timeoutSignal(TIMEOUT_MS)]);
    const options = { signal: limited, timeoutMs: TIMEOUT_MS };
    try {
      if (await isAnvil(network, options)) {
        return await spentOnAnvil(network.rpc, mined, request.needsCounter, options);
      }
      if (!isListed(Number(mined.receipt.gasUsed))) return undefined;
      const { created } = request;
      const spent = request.needsCounter
        ? undefined
        : await spentOnNode(this.tracer.node(network, mined), mined, created, options);
      if (spent || !network.replayable) return spent;
      const turn = { signal: limited, onProgress };
      return await this.tracer.onEngine(network, mined, turn, (engine) =>
        spentOnEngine(engine, mined, created, { signal: limited }),
      );
    } catch (error) {
      if (signal.aborted) throw error;
      if (limited.aborted || error instanceof RpcError || error instanceof ApiError) {
        return undefined;
      }
      throw error;
    }
  }
}

async function spentOnEngine(
  engine: TracedOn,
  { transaction, receipt }: MinedTransaction,
  created: string,
  options: RpcCallOptions,
): Promise<SpentGas | undefined> {
  const [answer] = await engine.run([STEPS_TRACER], options);
  const gasUsed = transaction.authorizationList ? undefined : Number(receipt.gasUsed);
  return spentBySteps(answer, gasUsed, created, { listsZero: false });
}

/** A fork's engine is anvil. A chain's node may be anvil as well. */
async function isAnvil({ rpc, replayable }: Network, options: RpcCallOptions): Promise<boolean> {
  if (!replayable) return true;
  try {
    return String(await rpc.request('web3_clientVersion', [], options)).startsWith('anvil/');
  } catch (error) {
    if (error instanceof RpcError) return false;
    throw error;
  }
}

/** Anvil lists no instructions of mined transactions, but its Parity traces contain the top call's gas. */
async function spentOnAnvil(
  rpc: RpcClient,
  { transaction: { hash } }: MinedTransaction,
  needsCounter: boolean,
  options: RpcCallOptions,
): Promise<SpentGas | undefined> {
  const read = parityTraceSchema.safeParse(await rpc.request('trace_transaction', [hash], options));
  const top = read.data?.find(({ traceAddress }) => traceAddress.length === 0);
  if (!top?.result) return undefined;
  const spent = Number(top.result.gasUsed);
  if (!needsCounter) return { spent };
  const counter = count.safeParse(
    await rpc.request('debug_traceTransaction', [hash, COUNTER_TRACER], options),
  );
  return { spent, ...(counter.success ? { counter: counter.data } : {}) };
}

/** The counter is omitted for transactions with authorizations, because a node's counter may include their refunds. */
async function spentOnNode(
  node: TracedOn,
  { transaction, receipt }: MinedTransaction,
  created: string,
  options: RpcCallOptions,
): Promise<SpentGas | undefined> {
  try {
    const [answer] = await node.run([STEPS_TRACER], options);
    const spent = spentBySteps(answer, Number(receipt.gasUsed), created);
    if (!spent || !transaction.authorizationList) return spent;
    return { spent: spent.spent };
  } catch (error) {
    if (error instanceof RpcError) return undefined;
    throw error;
  }
}
