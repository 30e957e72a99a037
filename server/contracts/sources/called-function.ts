import { isCreation, type CallFrame } from '../../analysis/call-frame';
import { selectorOf } from '../../analysis/decoding/call';
import type { Contract, CreationCode } from '../../analysis/ports';
import type { WantedFunction } from './function-ranges';

/** The function that the caller of a frame asked for; undefined if the interface of the contract is unknown. */
export function wantedFunction(
  frame: CallFrame,
  code: Contract | CreationCode | undefined,
): WantedFunction | undefined {
  if (isCreation(frame)) return { kind: 'constructor' };
  if (frame.input === '0x') return { kind: 'receive' };
  if (!code?.interface) return undefined;
  const selector = selectorOf(frame.input);
  const [fragment] = (selector && code.interface.functions(selector)) ?? [];
  if (!fragment) return { kind: 'fallback' };
  return { kind: 'function', name: fragment.name, types: fragment.inputs.map(({ type }) => type) };
}
