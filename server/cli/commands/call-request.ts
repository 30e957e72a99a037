import type { Hex } from '../../api/primitives';
import { address } from '../table/kinds';
import { UsageError, wrongValue } from '../errors/usage-error';

/** A call in the notation of the command line. */
export interface WrittenCall {
  to: string;
  signature: string | undefined;
  args: readonly string[];
  from: string;
  value: string | undefined;
  data: string | undefined;
  gas: number | undefined;
}

/** A call in the notation of the service and of JSON-RPC. `to` is missing for a creation. */
export interface CallRequest {
  from: string;
  to?: string;
  value?: Hex;
  data?: Hex;
  gas?: Hex;
}

/** @throws UsageError */
export async function callRequest(call: WrittenCall): Promise<CallRequest> {
  const { from, to, value, gas } = call;
  const { encodeCall, weiOf } = await import('../analysis/encode-call');
  const isCreation = to === 'create';
  if (!isCreation && address.parse(to) === undefined) {
    throw wrongValue('<to>', to, `${address.accepted}, or create`);
  }
  const data = dataOf(call, encodeCall);
  if (isCreation && data === undefined) {
    throw new UsageError('--data is missing; accepted: the init code of the new contract');
  }
  return {
    from,
    ...(isCreation ? {} : { to }),
    ...(value === undefined ? {} : { value: hex(weiOf(value)) }),
    ...(data === undefined ? {} : { data }),
    ...(gas === undefined ? {} : { gas: hex(gas) }),
  };
}

function dataOf(
  { to, signature, args, data }: WrittenCall,
  encode: (signature: string, args: readonly string[]) => Hex,
): Hex | undefined {
  if (signature === undefined) return data as Hex | undefined;
  if (data !== undefined)
    throw new UsageError('--data and [signature] are both given; accepted: one of them');
  if (to === 'create') throw new UsageError('[signature] is given for a creation; give --data');
  return encode(signature, args);
}

const hex = (value: bigint | number): Hex => `0x${value.toString(16)}`;
