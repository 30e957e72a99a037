import { RpcError } from '../../ethereum/json-rpc';
import { toQuantity } from '../../ethereum/quantity';
import type { Fields } from '../../ethereum/fields';

/** Result of a call as the engine returns it. */
export interface EngineCall {
  returnData: string;
  gasUsed: string;
  status: string;
  logs: readonly { address: string; topics: readonly string[]; data: string }[];
}

/** The engine's errors for invalid transactions, and the codes of execution-apis. */
const CODES: readonly (readonly [RegExp, number])[] = [
  [/nonce.*(max|overflow)/i, -32603],
  [/nonce too low/i, -38010],
  [/nonce too high/i, -38011],
  [/less than block base ?fee/i, -38012],
  [/intrinsic gas|CallGasCost|gas floor|GasFloor/i, -38013],
  [/insufficient funds|lack of funds|out of funds/i, -38014],
  [/block gas limit|GasLimitMoreThanBlock|exceeds allowance/i, -38015],
  [/\bEOA\b|deployed code|sender.*code/i, -38024],
  [/init ?code|CreateInitCode/i, -38025],
];

/** Replaces the code of an engine's error by the one that execution-apis defines. */
export function simulationError(error: unknown): unknown {
  if (!(error instanceof RpcError) || error.code === -32602) return error;
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
    ? { code: -32015, message: 'vm execution error: all gas was used' }
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
