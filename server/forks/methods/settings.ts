import { invalidParams, RpcError } from '../../evm/forms/json-rpc';
import { LIMITS } from '../../api/limits';
import { RPC_CODES } from '../../api/rpc-codes';
import type { ForkRead, RunningFork } from '../reads/running-fork';
import { methods, read, write, type Methods } from './fork-method';
import { wholeNumber } from './method-parameters';

const nothing = write(() => Promise.resolve(null));

/** Methods for snapshots, and for settings of the fork. */
export const SETTINGS: Methods = methods({
  evm_snapshot: write(({ writer }) => writer.snapshot()),
  evm_revert: write(({ writer }, [id]) => writer.revert(snapshotId(id))),
  evm_setAutomine: write(({ writer }, [on]) => writer.setAutomine(switchOf(on)).then(() => null)),
  anvil_getAutomine: read(({ writer }) => Promise.resolve(writer.automine)),
  evm_setIntervalMining: write(({ writer }, [seconds]) =>
    writer.setInterval(intervalOf(seconds)).then(() => null),
  ),
  anvil_getIntervalMining: read(({ writer }) => Promise.resolve(writer.interval ?? null)),
  anvil_reset: write(reset),
  // Logging is a setting of the host, so these methods change nothing.
  anvil_setLoggingEnabled: (params) => {
    switchOf(params[0]);
    return nothing(params);
  },
  // The fork accepts every sender anyway.
  anvil_autoImpersonateAccount: nothing,
  anvil_metadata: read(aboutEngine('anvil_metadata')),
  anvil_nodeInfo: read(aboutEngine('anvil_nodeInfo')),
});

/** @throws RpcError */
function switchOf(on: unknown): boolean {
  if (typeof on === 'boolean') return on;
  throw invalidParams('the parameter', on, 'true or false');
}

/**
 * Reverts the fork to the default snapshot.
 * @throws RpcError -32004 if another block or chain is named
 */
async function reset({ writer }: RunningFork, [options]: readonly unknown[]): Promise<null> {
  if (namesAnything(options)) {
    throw new RpcError(
      RPC_CODES.notSupported,
      'the block and chain of a fork are fixed; accepted: no parameter, to revert to the default snapshot; for another block or chain, create another fork',
    );
  }
  await writer.reset();
  return null;
}

/** Clients send unset members as null. */
const namesAnything = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some(namesAnything)
    : value !== undefined && value !== null;

/** Seconds. @throws RpcError */
function intervalOf(value: unknown): number {
  const seconds = wholeNumber('the interval', value);
  if (seconds !== undefined && seconds <= LIMITS.miningInterval) return seconds;
  throw invalidParams('the interval', value, `0 to ${LIMITS.miningInterval} seconds`);
}

/** Normalizes ids like anvil's, with or without leading zeros. The default snapshot's UUID is not changed. */
function snapshotId(id: unknown): string {
  const text = typeof id === 'number' || typeof id === 'string' ? String(id) : '';
  return /^(0x[0-9a-f]+|[0-9]+)$/i.test(text) ? `0x${BigInt(text).toString(16)}` : text;
}

/** Removes the address that the engine forks from, which belongs to the host. */
function aboutEngine(method: string): ForkRead {
  return async ({ engine }) => {
    const info = (await engine.request(method, [])) as Record<string, unknown>;
    const { forkConfig } = info;
    return typeof forkConfig === 'object' && forkConfig !== null
      ? { ...info, forkConfig: { ...forkConfig, forkUrl: null } }
      : info;
  };
}
