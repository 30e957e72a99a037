import assert from 'node:assert/strict';
import { AbiCoder, Interface, type FunctionFragment } from 'ethers';
import { decodeExactly } from '../../server/analysis/abi-values/codec';
import { NestedCalls } from '../../server/analysis/decoding/nested-calls';
import type { Param } from '../../server/api/decoding';
import type { Address, Hex } from '../../server/api/primitives';
import { abi, account } from './analysis';

const TRANSFER = 'function transfer(address to, uint256 value)';

/** The interfaces that calls in arguments are decoded by. */
export const known = abi(
  TRANSFER,
  'function multicall(bytes[] data)',
  'function pause()',
  'function execute(address to, uint256 value, bytes data)',
);
export const TOKEN = account(0x70cc);

/** Call data of a call to that function. */
export const encode = (item: string, args: readonly unknown[]): Hex => {
  const one = new Interface([item]);
  return one.encodeFunctionData(one.fragments[0] as FunctionFragment, args) as Hex;
};
export const transfer = encode(TRANSFER, [account(0xc), 5n]);

/** Parameters of a call to account b; `asked` receives the callees that were looked up. */
export function paramsOf(
  item: string,
  args: readonly unknown[],
  asked: (Address | null)[] = [],
): Param[] {
  const fragment = new Interface([item]).fragments[0] as FunctionFragment;
  const encoded = AbiCoder.defaultAbiCoder().encode(fragment.inputs, args) as Hex;
  const values = decodeExactly(fragment.inputs, encoded);
  assert.ok(values);
  const calls = new NestedCalls((selector, to) => {
    asked.push(to);
    return known.functions(selector).map((one) => ({ fragment: one, source: 'artifact' as const }));
  });
  return calls.params(fragment, values, account(0xb0b));
}
