import { LIMITS } from '../../api/limits';
import { UnknownResult, type PrecompileResult } from './environment';
import type { FrameContext } from './frame';
import type { FrameEnd } from './execution';
import type { Machine } from './machine';
import { NO_ACCOUNT, type Account } from './world';

/** State that a call besides the recorded execution needs, and the recording lacks. Each throws where it is not known. */
export interface OtherState {
  storage(address: string, slot: bigint): bigint;
  account(address: string): Account;
  precompile(address: string): never;
  blockHash(block: bigint): never;
}

const IDENTITY = `0x${'4'.padStart(40, '0')}`;

export interface OutsideCall {
  readonly address: string;
  readonly code: Uint8Array;
  readonly caller: string;
  readonly input: Uint8Array;
}

/** Gas for all calls of an expression. */
export interface GasBudget {
  gas: number;
}

/**
 * Executes a static call on the state of a machine, which stays as it is.
 * @param budget what the call uses is taken from it
 * @throws what `other` throws
 */
export function callOutsideRecording(
  machine: Machine,
  call: OutsideCall,
  other: OtherState,
  budget: GasBudget,
): FrameEnd {
  const { gas } = budget;
  budget.gas = 0;
  const context: FrameContext = {
    ...call,
    kind: 'STATICCALL',
    codeAddress: call.address,
    value: 0n,
    gas,
    isStatic: true,
    depth: 1,
    output: { offset: 0, length: 0 },
  };
  const precompiles = machine.environment.precompiles;
  const account = (address: string): Account =>
    precompiles.includes(address) ? NO_ACCOUNT : other.account(address);
  const copy = machine.aside({ ...other, account });
  try {
    copy.enter(context, copy.world.mark);
    for (let steps = 0; copy.step(); steps++) {
      if (steps < LIMITS.calledSteps) continue;
      const reason = `it executes more than ${LIMITS.calledSteps} instructions`;
      return { kind: 'halted', output: new Uint8Array(0), reason };
    }
  } catch (error) {
    if (error instanceof UnknownResult) other.blockHash(error.block);
    throw error;
  }
  budget.gas = copy.gasLeft;
  return copy.end ?? { kind: 'returned', output: new Uint8Array(0) };
}

/** Result of a precompiled contract that the recorded execution did not call in this way. */
export function otherPrecompile(
  address: string,
  input: Uint8Array,
  other: OtherState,
): PrecompileResult {
  if (address !== IDENTITY) other.precompile(address);
  return { gasUsed: 15 + 3 * Math.ceil(input.length / 32), output: input };
}
