import { ensNormalize, namehash } from 'ethers';
import { invalidField } from '../../api/errors';
import type { Address, Hex } from '../../api/primitives';
import { addressIn } from '../../evm/forms/address-in';
import { RpcError } from '../../evm/forms/json-rpc';
import type { Network } from '../../analysis/ports';

/** Registry of ENS, which has the same address on every chain that has one (https://docs.ens.domains/learn/deployments). */
const REGISTRY: Address = '0x00000000000c2e074ec69a0dfb2997ba6c7d2e1e';
const RESOLVER_CALL = '0x0178b8bf'; // resolver(bytes32)
const ADDRESS_CALL = '0x3b3b57de'; // addr(bytes32)
const EXAMPLE = 'a name such as vitalik.eth';

/**
 * The address of an ENS name, by the registry and the resolver on the chain. Names whose resolver answers outside the chain have none.
 * @throws ApiError `invalidField` where the name has no valid form, the chain has no registry, or the name has no address on it
 */
export async function addressOfName(
  { rpc, key }: Pick<Network, 'rpc' | 'key'>,
  given: string,
  signal: AbortSignal,
): Promise<{ name: string; address: Address }> {
  const name = normalized(given);
  const node = namehash(name).slice(2);
  const read = async (to: Address, data: Hex): Promise<Address | undefined> => {
    try {
      return addressIn(await rpc.request('eth_call', [{ to, data }, 'latest'], { signal }));
    } catch (error) {
      // The contract refused, or answers outside the chain (EIP-3668).
      if (error instanceof RpcError) return undefined;
      throw error;
    }
  };
  if ((await rpc.request('eth_getCode', [REGISTRY, 'latest'], { signal })) === '0x') {
    throw invalidField('name', name, `an address: ${key} has no ENS registry`);
  }
  const resolver = await read(REGISTRY, `${RESOLVER_CALL}${node}`);
  if (!resolver) {
    throw invalidField('name', name, `a name with a resolver in the ENS registry of ${key}`);
  }
  const address = await read(resolver, `${ADDRESS_CALL}${node}`);
  if (!address) {
    throw invalidField('name', name, `a name whose resolver on ${key} gives an address`);
  }
  return { name, address };
}

/** ENSIP-15 */
function normalized(name: string): string {
  try {
    const found = ensNormalize(name);
    if (found.includes('.')) return found;
  } catch {
    // reported below
  }
  throw invalidField('name', name, EXAMPLE);
}
