import type { Address, Hex } from '../../api/primitives';
import { timeoutSignal } from '../../api/timeout-signal';
import type { LocatedExecution } from '../executed-transaction';
import type { Network } from '../ports';
import type { StorageLayout } from '../storage-layout';

/** Who knows the storage layouts of contracts that no artifact matches. */
export interface LayoutSource {
  /** Rejects only if the signal is aborted. */
  layoutOf(
    network: Network,
    contract: { readonly address: Address; readonly code: Hex },
    signal: AbortSignal,
  ): Promise<StorageLayout | undefined>;
}

/** Time limit for all look-ups of one state difference together, in milliseconds. A variable has no name if its layout takes longer. */
const PATIENCE_MS = 4_000;

/**
 * Storage layouts of accounts: of the contract and of its implementation, which takes precedence. Omits accounts without one.
 * @throws the signal's reason
 */
export async function storageLayouts(
  source: LayoutSource | undefined,
  { network, known: { contracts } }: Pick<LocatedExecution, 'network' | 'known'>,
  accounts: readonly Address[],
  signal: AbortSignal,
): Promise<ReadonlyMap<Address, readonly StorageLayout[]>> {
  const patience = AbortSignal.any([signal, timeoutSignal(PATIENCE_MS)]);
  const layoutAt = async (address: Address | undefined): Promise<StorageLayout | undefined> => {
    const { layout, code } = (address && contracts.get(address)) ?? {};
    if (layout || !source || address === undefined || code === undefined || code === '0x') {
      return layout;
    }
    return source.layoutOf(network, { address, code }, patience).catch(() => undefined);
  };
  const found = new Map<Address, readonly StorageLayout[]>();
  await Promise.all(
    accounts.map(async (account) => {
      const implementation = contracts.get(account)?.implementation;
      const layouts = await Promise.all([layoutAt(account), layoutAt(implementation)]);
      const own = layouts.flatMap((layout) => layout ?? []);
      if (own.length > 0) found.set(account, own);
    }),
  );
  signal.throwIfAborted();
  return found;
}
