import type { AbiSource, Network } from '../../analysis/ports';
import type { ContractInterface } from '../../analysis/contract-interface';
import type { CallFrame } from '../../analysis/call-frame';
import { identifyRequestWork } from '../../analysis/decoding/identify-request';
import type { RpcBlock } from '../../evm/forms/types';
import { inSlices } from '../../kernel/async/slices';
import type { Signatures } from '../regress/failure-text';

/** What is known of the functions and errors of failed transactions, of all of their contracts. */
export async function signaturesOf(
  abis: AbiSource,
  network: Network,
  { number, hash }: RpcBlock,
  roots: readonly CallFrame[],
  signal: AbortSignal,
): Promise<Signatures> {
  const interfaces = new Set<ContractInterface>();
  for (const root of roots) {
    if (root.error === undefined) continue;
    const request = await inSlices(
      identifyRequestWork(root, { number: BigInt(number), hash }),
      signal,
    );
    const { contracts, signatures } = await abis.identify(network, request, signal);
    for (const { given, interface: own } of contracts.values()) {
      for (const one of [given, own]) if (one) interfaces.add(one);
    }
    for (const one of signatures) interfaces.add(one);
  }
  const all = [...interfaces];
  return {
    functions: (selector) => all.flatMap((one) => one.functions(selector)),
    errors: (selector) => all.flatMap((one) => one.errors(selector)),
  };
}
