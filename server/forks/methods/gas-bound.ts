import { fieldsOf, isFields, isMissing, type Fields } from '../../evm/forms/fields';
import { invalidParams, type RpcCall } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { LIMITS } from '../../api/limits';

const MAX_GAS = BigInt(LIMITS.gas);

/** Location of block overrides in the parameters: a parameter of their own, or the options of the trace. */
const BLOCK_OVERRIDES: Readonly<Record<string, (params: readonly unknown[]) => unknown>> = {
  eth_call: (params) => params[3],
  eth_estimateGas: (params) => params[3],
  eth_createAccessList: (params) => params[3],
  debug_traceCall: (params) => fieldsOf('the options', params[2] ?? {})['blockOverrides'],
};

/**
 * Bounds the gas of executions that change nothing. As in other nodes, gas above the limit is not an error but is reduced.
 * @throws RpcError -32602 for an invalid amount: the engine accepts more number formats than other nodes
 */
export function boundGas(call: RpcCall): RpcCall {
  const { method, params } = call;
  if (method === 'eth_simulateV1') return { method, params: boundSimulation(params) };
  const [given, ...rest] = params;
  if (isMissing(given)) return call;
  const request = fieldsOf('the call', given);
  const block = fieldsOf('blockOverrides', BLOCK_OVERRIDES[method]?.(params) ?? {});
  const isAbove =
    exceeds('gas', request['gas']) ||
    // A call without gas gets the gas limit of its block.
    (exceeds('blockOverrides.gasLimit', block['gasLimit']) && isMissing(request['gas']));
  return isAbove ? { method, params: [{ ...request, gas: toQuantity(MAX_GAS) }, ...rest] } : call;
}

/** Bounds the gas of each call and of the blocks. The total gas of all calls is bounded during execution. */
function boundSimulation(params: readonly unknown[]): readonly unknown[] {
  const [payload, ...rest] = params;
  if (!isFields(payload) || !Array.isArray(payload['blockStateCalls'])) return params;
  const blockStateCalls = payload['blockStateCalls'].map((block: unknown) => {
    if (!isFields(block)) return block;
    const { calls, blockOverrides } = block;
    return {
      ...block,
      ...(isFields(blockOverrides) ? { blockOverrides: bounded(blockOverrides, 'gasLimit') } : {}),
      ...(Array.isArray(calls)
        ? { calls: calls.map((one: unknown) => (isFields(one) ? bounded(one, 'gas') : one)) }
        : {}),
    };
  });
  return [{ ...payload, blockStateCalls }, ...rest];
}

const bounded = (fields: Fields, name: string): Fields =>
  exceeds(name, fields[name]) ? { ...fields, [name]: toQuantity(MAX_GAS) } : fields;

/** @throws RpcError -32602 */
export function exceeds(name: string, gas: unknown): boolean {
  if (isMissing(gas)) return false;
  const isNumber =
    typeof gas === 'number'
      ? Number.isSafeInteger(gas)
      : typeof gas === 'string' && /^(0x[0-9a-f]{0,64}|[0-9]{1,78})$/i.test(gas);
  if (!isNumber) throw invalidParams(name, gas, 'a quantity as hex');
  return gas !== '0x' && BigInt(gas as string | number) > MAX_GAS;
}
