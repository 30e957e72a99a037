import { executionSteps, type CallFrame } from '../../analysis/call-frame';
import { failureChain } from '../../analysis/failures/chain';
import type { ContractInterface } from '../../analysis/contract-interface';
import type { Hex } from '../../api/primitives';

/** What is known of functions and errors, by selector. */
export type Signatures = Pick<ContractInterface, 'functions' | 'errors'>;

/** Where and why a transaction fails; empty if it does not. */
export function failureText(root: CallFrame, known: Signatures): string {
  if (root.error === undefined) return '';
  const [innermost] = failureChain(executionSteps(root));
  const { frame } = innermost ?? { frame: root };
  const place = frame.to ?? 'a new contract';
  const reason = reasonOf(frame, known);
  if (frame.input === '0x') return `payment to ${place}: ${reason}`;
  const selector = frame.input.slice(0, 10) as Hex;
  return `${known.functions(selector)[0]?.name ?? selector} of ${place}: ${reason}`;
}

function reasonOf(frame: CallFrame, known: Signatures): string {
  if (frame.revertReason !== undefined && frame.revertReason !== '') return frame.revertReason;
  const [custom] = known.errors(frame.output.slice(0, 10) as Hex);
  return custom?.format() ?? frame.error ?? 'it fails';
}
