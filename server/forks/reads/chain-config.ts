import { headOfEngine } from '../../evm/forms/block-header';
import { RpcError, isMethodMissing } from '../../evm/forms/json-rpc';
import { toQuantity } from '../../evm/forms/quantity';
import { ApiError } from '../../api/errors';
import { RPC_CODES } from '../../api/rpc-codes';
import type { RunningFork } from './running-fork';

interface Configuration {
  activationTime: number;
  forkId: string;
}

/** Fork id that development nodes report, because they compute none. */
const NO_FORK_ID = '0x00000000';

/**
 * `eth_config` (EIP-7910): the configuration of the forked chain, with the fork's chain id, if the node's current rules are those at the
 * fork point. The engine reports neither activation times nor a fork id of any chain.
 * @throws RpcError -32004 if the node does not report it, or has passed an upgrade that the fork has not
 */
export async function readConfig({ upstream, engine, chainId }: RunningFork): Promise<unknown> {
  const config = await configOf(upstream);
  const head = await headOfEngine(engine);
  const { current, next, last } = config;
  const time = Number(head.timestamp);
  if (
    !current ||
    current.forkId === NO_FORK_ID ||
    current.activationTime > time ||
    (next && next.activationTime <= time)
  ) {
    throw new RpcError(
      RPC_CODES.notSupported,
      "eth_config is not available at the time of this fork's head: the forked chain's node returns the configuration of another time, or none",
    );
  }
  const here = (one: Configuration | null | undefined): unknown =>
    one ? { ...one, chainId: toQuantity(chainId) } : null;
  return { current: here(current), next: here(next), last: here(last) };
}

async function configOf(
  upstream: RunningFork['upstream'],
): Promise<Record<'current' | 'next' | 'last', Configuration | null | undefined>> {
  try {
    const config = await upstream.request('eth_config', []);
    return config as Record<'current' | 'next' | 'last', Configuration | null>;
  } catch (error) {
    const lacking = error instanceof ApiError && error.kind === 'upstreamLacksData';
    if (!lacking && !isMethodMissing(error)) throw error;
    throw new RpcError(
      RPC_CODES.notSupported,
      "eth_config is not available: the forked chain's node does not offer it, and the engine has no schedule of the chain's upgrades",
    );
  }
}
