import { selectorOf } from '../../analysis/decoding/call';
import type { LocatedExecution } from '../../analysis/executed-transaction';
import type { Contract } from '../../analysis/ports';
import type { Address, Hex } from '../../api/primitives';
import { isCreationKind } from '../../evm/interpreter/frame';
import type { Recording } from '../recording/recording';

/** Name of the function that the call data select; undefined if the interface is not known. */
export function selectedFunction(
  { frames }: Recording,
  { contracts }: LocatedExecution['known'],
  index: number,
): string | undefined {
  const { context } = frames[index] ?? {};
  if (!context || isCreationKind(context.kind)) return undefined;
  const selector = selectorOf(`0x${Buffer.from(context.input.subarray(0, 4)).toString('hex')}`);
  if (selector === undefined) return context.input.length === 0 ? 'receive' : 'fallback';
  const contract = contracts.get(context.codeAddress as Address);
  const name = contract && functionNamed(contract, selector);
  if (name !== undefined || !(contract?.interface ?? contract?.given)) return name;
  // The interface of a library lacks functions whose types it cannot express, and a library has no fallback function.
  return isLibrary(context.code) ? undefined : 'fallback';
}

/** By the interface of its code; where that is not known, by the one that the user gave for its address. */
export const functionNamed = (
  { interface: own, given }: Contract,
  selector: Hex,
): string | undefined => (own ?? given)?.functions(selector)[0]?.name;

/** Solidity: the deployed code of a library begins by comparing its own address. */
const isLibrary = (code: Uint8Array): boolean =>
  code[0] === 0x73 && code[21] === 0x30 && code[22] === 0x14;
