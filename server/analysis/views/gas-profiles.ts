import type { OnProgress } from '../../api/progress';
import type { GasProfile } from '../../api/views';
import type { RpcBlockHeader } from '../../evm/forms/types';
import type { ExecutedHardfork } from '../../evm/forms/hardfork-order';
import { isCreation } from '../call-frame';
import { TraceDecoder } from '../decoding/trace-decoder';
import { gasFacts } from '../gas/facts';
import { spentByReceipt, type GasFacts } from '../gas/parts';
import { gasProfile } from '../gas/profile';
import type { Network, SpentGas, SpentGasSource, TransactionTrace } from '../ports';
import type { ViewedExecution } from './viewed-execution';

/** Hardfork of a block; undefined if it is not known, null if the chain has rules of its own. */
export type RulesOf = (
  network: Network,
  block: RpcBlockHeader,
) => ExecutedHardfork | null | undefined;

/** The gas profiles of executions. */
export class GasProfiles {
  /** An unknown result is not kept: it is requested again next time. */
  readonly #spentGas = new WeakMap<TransactionTrace, SpentGas>();

  constructor(
    private readonly source: SpentGasSource,
    private readonly rulesOf: RulesOf,
  ) {}

  async of(
    execution: ViewedExecution,
    onProgress: OnProgress | undefined,
  ): Promise<GasProfile['gasProfile']> {
    const { network, executed, known } = execution.located;
    const { mined, trace } = executed;
    const facts = gasFacts(execution.located, this.rulesOf(network, mined.block));
    const spent =
      trace.spentGas ?? spentByReceipt(facts) ?? (await this.#spent(execution, facts, onProgress));
    return gasProfile(trace.root, facts, spent, new TraceDecoder(known));
  }

  async #spent(
    { located: { network, executed }, signal }: ViewedExecution,
    { gasUsed, intrinsic }: GasFacts,
    onProgress: OnProgress | undefined,
  ): Promise<SpentGas | undefined> {
    const { mined, trace } = executed;
    const known = this.#spentGas.get(trace);
    if (known) return known;
    const { root } = trace;
    const request = {
      created: isCreation(root) && root.error === undefined ? root.output : '0x',
      needsCounter: gasUsed === intrinsic?.floor,
    } as const;
    const spent = await this.source.spentGas(network, mined, request, signal, onProgress);
    if (spent) this.#spentGas.set(trace, spent);
    return spent;
  }
}
