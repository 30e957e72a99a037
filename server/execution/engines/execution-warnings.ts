import { executionSteps, type CallFrame } from '../../analysis/call-frame';
import type { TransactionTrace } from '../../analysis/ports';
import type { BlockRules } from '../../evm/rules/block-rules';
import { lackingPrecompiles, lackingText } from '../../evm/rules/lacking-precompiles';

/** What an answer has to state about an execution of an engine. */
export interface ExecutionWarnings {
  /** One sentence each. */
  readonly warnings: readonly string[];
  /** Whether the execution called a precompiled contract that the engine lacks: its result is not that of the chain. */
  readonly isIncomplete: boolean;
}

/** @param called lower-case addresses of all calls */
export function executionWarnings(rules: BlockRules, called: Iterable<string>): ExecutionWarnings {
  const lacking = lackingPrecompiles(rules);
  const found = new Map<string, string>();
  for (const address of lacking.size === 0 ? [] : called) {
    const name = lacking.get(address);
    if (name !== undefined) found.set(address, name);
  }
  if (found.size === 0) return { warnings: rules.warnings, isIncomplete: false };
  const text = `${lackingText(found)}, which the transaction calls: its status, gas and changes may differ from the chain's`;
  return { warnings: rules.warnings.concat(text), isIncomplete: true };
}

/** A replay with its warnings. The executor of this process has the chain's precompiled contracts. */
export const withWarnings = (trace: TransactionTrace, rules: BlockRules): TransactionTrace => ({
  ...trace,
  warnings:
    trace.executor === 'process'
      ? rules.warnings
      : executionWarnings(rules, calledIn(trace.root)).warnings,
});

function* calledIn(root: CallFrame): Generator<string> {
  for (const { frame, log } of executionSteps(root)) if (!log && frame.to !== null) yield frame.to;
}
