import { RpcError } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import type { Fields } from '../../evm/forms/fields';
import { RPC_CODES } from '../../api/rpc-codes';

/** Result of a call as the engine returns it. */
export interface EngineCall {
  returnData: string;
  gasUsed: string;
  status: string;
  logs: readonly { address: string; topics: readonly string[]; data: string }[];
}

/** The engine's errors for invalid transactions, and the codes of execution-apis. */
const CODES: readonly (readonly [RegExp, number])[] = [
  [/nonce.*(max|overflow)/i, RPC_CODES.internal],
  [/nonce too low/i, RPC_CODES.nonceTooLow],
  [/nonce too high/i, RPC_CODES.nonceTooHigh],
  [/less than block base ?fee/i, RPC_CODES.feeBelowBaseFee],
  [/intrinsic gas|CallGasCost|gas floor|GasFloor/i, RPC_CODES.intrinsicGasTooLow],
  [/insufficient funds|lack of funds|out of funds/i, RPC_CODES.insufficientFunds],
  [/block gas limit|GasLimitMoreThanBlock|exceeds allowance/i, RPC_CODES.blockGasLimitExceeded],
  [/\bEOA\b|deployed code|sender.*code/i, RPC_CODES.senderHasCode],
  [/init ?code|CreateInitCode/i, RPC_CODES.initCodeTooLarge],
];

/** Replaces the code of an engine's error by the one that execution-apis defines. */
export function simulationError(error: unknown): unknown {
  if (!(error instanceof RpcError) || error.code === RPC_CODES.invalidParams) return error;
  const code = CODES.find(([words]) => words.test(error.message))?.[1];
  return code === undefined ? error : new RpcError(code, error.message, error.data);
}

/**
 * The result of a call. The engine reports reverts and exceptional halts with the same code; only a halt uses all gas and returns nothing.
 * @param logs logs with their position in the block
 */
export function callResult(call: EngineCall, gas: bigint, logs: readonly unknown[]): Fields {
  const gasUsed = toQuantity(BigInt(call.gasUsed));
  if (BigInt(call.status) === 1n) {
    return { returnData: call.returnData, logs, gasUsed, status: '0x1' };
  }
  const halted = call.returnData === '0x' && BigInt(call.gasUsed) === gas;
  const error = halted
    ? { code: RPC_CODES.executionFailed, message: 'vm execution error: all gas was used' }
    : { code: 3, message: revertMessage(call.returnData), data: call.returnData };
  return { returnData: '0x', logs: [], gasUsed, status: '0x0', error };
}

/** `Error(string)`: selector, offset, length, text. */
function revertMessage(data: string): string {
  const message = 'execution reverted';
  if (!data.startsWith('0x08c379a0') || data.length < 2 + 8 + 128) return message;
  const length = Number(BigInt(`0x${data.slice(74, 138)}`));
  const text = data.slice(138, 138 + 2 * length);
  return text.length === 2 * length
    ? `${message}: ${Buffer.from(text, 'hex').toString('utf8')}`
    : message;
}
