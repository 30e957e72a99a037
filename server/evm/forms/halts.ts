import { RPC_CODES } from '../../api/rpc-codes';
import { RpcError } from './json-rpc';

/** revm's names of exceptional halts, and go-ethereum's errors (core/vm/errors.go), without numbers that revm does not give. */
const HALTS: ReadonlyMap<string, string> = new Map([
  ['OutOfGas', 'out of gas'],
  ['MemoryOOG', 'out of gas'],
  ['MemoryLimitOOG', 'out of gas'],
  ['PrecompileOOG', 'out of gas'],
  ['InvalidOperandOOG', 'out of gas'],
  ['ReentrancySentryOOG', 'out of gas'],
  ['OpcodeNotFound', 'invalid opcode'],
  ['NotActivated', 'invalid opcode'],
  ['InvalidFEOpcode', 'invalid opcode: INVALID'],
  ['StackUnderflow', 'stack underflow'],
  ['StackOverflow', 'stack limit reached 1024'],
  ['InvalidJump', 'invalid jump destination'],
  ['OutOfOffset', 'return data out of bounds'],
  ['StateChangeDuringStaticCall', 'write protection'],
  ['CallNotAllowedInsideStatic', 'write protection'],
  ['OutOfFunds', 'insufficient balance for transfer'],
  ['CallTooDeep', 'max call depth exceeded'],
  ['PrecompileError', 'precompiled failed'],
  ['NonceOverflow', 'nonce uint64 overflow'],
  ['CreateCollision', 'contract address collision'],
  ['CreateContractSizeLimit', 'max code size exceeded'],
  ['CreateContractStartingWithEF', 'invalid code: must not begin with 0xef'],
  ['CreateInitCodeSizeLimit', 'max initcode size exceeded'],
]);

/** go-ethereum's error for a frame that halted, where revm's tracer has its own name for it. */
export const frameError = (error: string): string => HALTS.get(error) ?? error;

/** anvil's error for a call whose outermost frame halted. */
const ANVIL_HALT = /^EVM error (\w+)$/;

/** Converts the error of a call that halted to go-ethereum's (-32000); undefined for other errors. */
export function haltError({
  code,
  message,
}: Pick<RpcError, 'code' | 'message'>): RpcError | undefined {
  const name = code === RPC_CODES.internal ? ANVIL_HALT.exec(message)?.[1] : undefined;
  const halt = HALTS.get(name ?? '');
  return halt === undefined ? undefined : new RpcError(RPC_CODES.invalidInput, halt);
}
