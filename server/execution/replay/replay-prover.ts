import type {
  MinedTransaction,
  Network,
  ReplayProof,
  TraceProver,
  TransactionTrace,
} from '../../analysis/ports';
import { differenceOfTraces } from '../../analysis/traces/compare';
import { traceDifference } from '../../analysis/traces/verify';
import type { RpcBlock } from '../../evm/forms/types';
import { LIMITS } from '../../api/limits';
import { applyTransactions } from '../prefix/apply-prefix';
import { isStateDiff, type StateDiff } from '../../evm/forms/prestate-diff';
import { fetchReceipts } from '../prefix/upstream-block';
import { BlockPayments } from './block-payments';
import { differences, factsOf, inWords, unexplained, type Difference } from './compare-state';
import { withDeadline } from '../../kernel/async/with-deadline';
import type { Executions } from '../engines/executions';
import {
  exactExecution,
  startBeforeBlock,
  type EngineAtPositionPorts,
} from '../engines/engine-at-position';
import { withWarnings } from '../engines/execution-warnings';
import { fetchBlockOf, requireExecutableForm } from '../engines/block-of-transaction';
import { differenceOfBlock } from './replay-in-process';
import { differs, replayOnForkedEngine } from './replay-on-forked-engine';

/** The proof of a replay whose block was executed by its chain's own rules. @param difference of the state after the block, in words */
function proofOf(
  { proof, executor }: TransactionTrace,
  difference: string | undefined,
): ReplayProof {
  const wholePrefix = proof?.wholePrefix ?? false;
  if (difference === undefined && executor === 'process') return { wholePrefix, state: 'equal' };
  const reason = difference ?? "the chain's own fees are not in the replay";
  return { wholePrefix, state: 'different', reason };
}

/** Proves replays with all earlier transactions of the block, and with the state after the block. */
export class ReplayProver implements TraceProver {
  constructor(
    private readonly ports: EngineAtPositionPorts,
    private readonly executions: Executions,
    private readonly timeoutMs = LIMITS.proofTime,
  ) {}

  /** @throws ApiError `upstreamLacksData`, `upstreamUnreachable`, `engineUnavailable`, `timedOut` */
  async prove(
    network: Network,
    mined: MinedTransaction,
    guess: TransactionTrace,
    signal: AbortSignal,
  ): Promise<TransactionTrace> {
    const what = `the proof of ${mined.transaction.hash}`;
    return this.executions.addProof(() =>
      withDeadline({ signal, timeoutMs: this.timeoutMs, what }, async (limited) => {
        const proved = await this.#proved(network, mined, guess, limited);
        return withWarnings(proved, await this.ports.rulesOf(network, mined.block));
      }),
    );
  }

  async #proved(
    network: Network,
    mined: MinedTransaction,
    guess: TransactionTrace,
    signal: AbortSignal,
  ): Promise<TransactionTrace> {
    requireExecutableForm(mined);
    const block = await fetchBlockOf(network, mined, signal);
    if (guess.proof?.wholePrefix && isStateDiff(guess.changes)) {
      const open = await this.#unexplained(network, mined, block, guess.changes, signal);
      if (open.length === 0) return { ...guess, proof: { ...guess.proof, state: 'equal' } };
    }
    // A fork of the chain may execute what an engine without a chain cannot, but not what the chain's own rules need.
    const isByOwnRules = guess.executor === 'process' && guess.proof?.wholePrefix === true;
    const trace = isByOwnRules
      ? guess
      : await this.#withWholePrefix(network, mined, block, guess, signal);
    if (!trace.proof?.wholePrefix) return trace;
    const exact = await exactExecution(this.ports, network, block);
    const executed = await differenceOfBlock(exact, block, signal);
    if (executed) return { ...trace, proof: proofOf(trace, executed.difference) };
    return { ...trace, proof: await this.#compared(network, mined, block, trace, signal) };
  }

  async #withWholePrefix(
    network: Network,
    mined: MinedTransaction,
    block: RpcBlock,
    guess: TransactionTrace,
    signal: AbortSignal,
  ): Promise<TransactionTrace> {
    const position = Number(mined.transaction.transactionIndex);
    const receipts = await fetchReceipts(network.rpc, block, position, {
      signal,
      rules: await this.ports.rulesOf(network, block),
    });
    const exact = await replayOnForkedEngine(this.ports, {
      network,
      mined,
      block,
      receipts,
      signal,
    });
    const difference = traceDifference(exact, mined.receipt);
    if (difference !== undefined) {
      const reason = `executed after all earlier transactions of the block, it differs from the receipt: ${difference}`;
      return { ...guess, proof: { wholePrefix: false, reason } };
    }
    const corrected = differenceOfTraces(guess, exact);
    const proof: ReplayProof = { wholePrefix: false, ...exact.proof };
    return { ...exact, proof: { ...proof, ...(corrected === undefined ? {} : { corrected }) } };
  }

  async #compared(
    network: Network,
    mined: MinedTransaction,
    block: RpcBlock,
    { proof, changes }: TransactionTrace,
    signal: AbortSignal,
  ): Promise<ReplayProof> {
    const known = { wholePrefix: true, ...proof };
    if (!isStateDiff(changes)) {
      return { ...known, reason: 'the engine does not report what the transaction changed' };
    }
    const open = await this.#unexplained(network, mined, block, changes, signal);
    const contradiction =
      open.length === 0 ? undefined : await this.#contradiction(network, block, open, signal);
    return contradiction === undefined
      ? { ...known, state: 'equal' }
      : { ...known, state: 'different', reason: contradiction };
  }

  /** Results of the transaction that differ from the state after the block, although no later transaction mentions the account. */
  async #unexplained(
    { rpc }: Network,
    mined: MinedTransaction,
    block: RpcBlock,
    changes: StateDiff,
    signal: AbortSignal,
  ): Promise<readonly Difference[]> {
    const position = Number(mined.transaction.transactionIndex);
    const facts = factsOf(changes);
    const differing = await differences(rpc, facts, block.number, signal);
    if (differing.length === 0) return [];
    const receipts = await fetchReceipts(rpc, block, block.transactions.length, { signal });
    return unexplained(facts, differing, block, receipts, position);
  }

  /**
   * Executes the whole block and compares the resulting state with the chain's.
   * @returns the first difference in words
   */
  async #contradiction(
    network: Network,
    block: RpcBlock,
    open: readonly Difference[],
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const { rpc } = network;
    const count = block.transactions.length;
    const rules = await this.ports.rulesOf(network, block);
    const receipts = await fetchReceipts(rpc, block, count, { signal, rules });
    const onChain = open.map(({ fact, found }) => ({ ...fact, value: found }));
    return startBeforeBlock(this.ports, network, block, signal, async (engine) => {
      const exact = await exactExecution(this.ports, network, block);
      const options = { receipts, upstream: rpc, rules, exact, signal };
      const { firstDifference } = await applyTransactions(engine.rpc, block, count, options);
      if (firstDifference !== undefined) return differs(firstDifference);
      const payments = new BlockPayments(block);
      // The engine pays neither withdrawals nor rewards.
      const first = (await differences(engine.rpc, onChain, 'latest', signal)).find(
        ({ fact: { account, kind, value }, found }) =>
          kind !== 'balance' || !payments.explain(account, BigInt(found), BigInt(value)),
      );
      return first && inWords(first.fact, first.found, first.fact.value);
    });
  }
}
