import { invalidParams } from '../../ethereum/json-rpc';
import { LIMITS } from '../../limits';
import type { ForkRead } from '../reads/running-fork';
import { methods, read, write, type Methods } from './fork-method';
import { wholeNumber } from './method-parameters';

const nothing = write(() => Promise.resolve(null));

/** Snapshots, and how the fork behaves. */
export const SETTINGS: Methods = methods({
  evm_snapshot: write(({ node }) => node.snapshot()),
  evm_revert: write(({ node }, [id]) => node.revert(snapshotId(id))),
  evm_setAutomine: write(({ node }, [on]) => node.setAutomine(on === true).then(() => null)),
  anvil_getAutomine: read(({ node }) => Promise.resolve(node.automine)),
  evm_setIntervalMining: write(({ node }, [seconds]) =>
    node.setInterval(intervalOf(seconds)).then(() => null),
  ),
  anvil_getIntervalMining: read(({ node }) => Promise.resolve(node.interval ?? null)),
  // Every sender is accepted anyway.
  anvil_autoImpersonateAccount: nothing,
  anvil_metadata: read(aboutEngine('anvil_metadata')),
  anvil_nodeInfo: read(aboutEngine('anvil_nodeInfo')),
});

/** Seconds. @throws RpcError */
function intervalOf(value: unknown): number {
  const seconds = wholeNumber('the interval', value);
  if (seconds !== undefined && seconds <= LIMITS.miningInterval) return seconds;
  throw invalidParams('the interval', value, `0 to ${LIMITS.miningInterval} seconds`);
}

/** Ids as anvil's, with or without leading zeros, and the UUID of the default snapshot. */
function snapshotId(id: unknown): string {
  const text = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
  return /^(0x[0-9a-f]+|[0-9]+)$/i.test(text) ? `0x${BigInt(text).toString(16)}` : text;
}

/** Without what it tells of the host: the address that the engine forks from. */
function aboutEngine(method: string): ForkRead {
  return async ({ engine }) => {
    const info = (await engine.request(method, [])) as Record<string, unknown>;
    const { forkConfig } = info;
    return typeof forkConfig === 'object' && forkConfig !== null
      ? { ...info, forkConfig: { ...forkConfig, forkUrl: null } }
      : info;
  };
}
