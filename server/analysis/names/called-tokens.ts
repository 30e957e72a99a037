import { id } from 'ethers';
import type { Address, Hex } from '../../api/primitives';
import { executionSteps, isCreation, type CallFrame } from '../call-frame';
import { containsSelector } from '../decoding/fallback-rule';
import type { Contract } from '../ports';
import { codesOf } from './traits';

const DECIMALS = id('decimals()').slice(0, 10) as Hex;

/** Called contracts whose code has `decimals()`, in the order of their first call. Code that only runs as another account's is no token. */
export function calledTokens(
  root: CallFrame,
  contracts: ReadonlyMap<Address, Contract>,
): Address[] {
  const called = new Set<Address>();
  for (const { frame, log } of executionSteps(root)) {
    if (log || frame.to === null || isCreation(frame)) continue;
    if (frame.type === 'CALL' || frame.type === 'STATICCALL') called.add(frame.to);
  }
  return [...called].filter((address) => {
    const contract = contracts.get(address);
    return (
      contract && codesOf(contract, contracts).some((code) => containsSelector(code, DECIMALS))
    );
  });
}
