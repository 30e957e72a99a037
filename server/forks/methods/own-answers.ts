import { headOfEngine } from '../../evm/forms/block-header';
import { RpcError } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { headOf } from '../reads/block-numbers';
import type { RunningFork } from '../reads/running-fork';
import { known, methods, read, type Methods } from './fork-method';
import { wholeNumber } from './method-parameters';

const networkId = known(({ chainId }) => String(chainId));
const latest = read(latestBlock);
const thisChain = known(({ chainId }, [asked]) => sameChain(asked, chainId));

/** Methods that the fork answers itself, or with one simple read. */
export const OWN_ANSWERS: Methods = methods({
  eth_chainId: known(({ chainId }) => toQuantity(chainId)),
  eth_blockNumber: known((fork) => toQuantity(headOf(fork))),
  net_version: networkId,
  eth_networkId: networkId,
  eth_mining: known(() => false),
  net_peerCount: known(() => '0x0'),
  rpc_modules: known(() => ({ anvil: '1.0', eth: '1.0', evm: '1.0', net: '1.0', web3: '1.0' })),
  /** A wallet would ask its user first. */
  wallet_getPermissions: known(() => []),
  /** EIP-5792: none on any chain, as in anvil. */
  wallet_getCapabilities: known(() => ({})),
  wallet_switchEthereumChain: thisChain,
  wallet_addEthereumChain: thisChain,
  evm_getLatest: latest,
  tenderly_getLatest: latest,
});

/** Behaves as a wallet with this one chain (EIP-3085, EIP-3326). */
function sameChain(parameter: unknown, chainId: number): null {
  const asked = (parameter as { chainId?: unknown } | null | undefined)?.chainId;
  if (wholeNumber('chainId', asked) === chainId) return null;
  throw new RpcError(4902, `this fork supports chain ${chainId} only`);
}

/** Same as Tenderly: number, hash and timestamp of the newest block. */
async function latestBlock({ engine }: RunningFork): Promise<unknown> {
  const { number, hash, timestamp } = await headOfEngine(engine);
  return { number, hash, timestamp };
}
