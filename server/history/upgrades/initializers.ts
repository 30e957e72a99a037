import type { ContractInterface } from '../../analysis/contract-interface';
import type { StorageLayout } from '../../analysis/storage-layout';
import type { UpgradeItem } from '../../api/upgrade-check';
import { answers } from '../../evm/forms/batch-answers';
import type { LiveStorage } from './live-values';

/** ERC-7201 namespace `openzeppelin.storage.Initializable`. */
const INITIALIZABLE = '0xf0c57e16840df040f15088dc2f81fe391c3923bec73e23a9662efc9c199c6a00';
const INITIALIZER = /^(re)?initialize/i;

/** The initializers of new code, and what the proxy says about those that ran. */
export async function initializerItems(
  proxy: LiveStorage,
  now: ContractInterface,
  layout: StorageLayout | undefined,
  signal: AbortSignal,
): Promise<UpgradeItem[]> {
  const subject = 'initializers';
  const found = now.allFunctions.filter(
    ({ name, constant }) => INITIALIZER.test(name) && !constant,
  );
  if (found.length === 0) {
    return [{ level: 'info', subject, text: 'the new code has no initializer by name' }];
  }
  const names = found.map((one) => one.format()).join(', ');
  const version = await initializedVersion(proxy, layout, signal);
  if (version === undefined) {
    const text = `the new code has ${names}; whether they ran is not known: the proxy has no version of OpenZeppelin's Initializable`;
    return [{ level: 'unknown', subject, text }];
  }
  if (version === 0n) {
    const text = `the new code has ${names}, and the proxy was never initialized: anyone may call an initializer that has no other protection`;
    return [{ level: 'error', subject, text }];
  }
  const text = `the new code has ${names}; the proxy is initialized at version ${version}: only a reinitializer with a later version can run, and it has to be called with the upgrade`;
  const again = found.some(({ name }) => /^reinitialize/i.test(name));
  return [{ level: again ? 'warning' : 'info', subject, text }];
}

/** Undefined where neither the namespace nor the layout has it. */
async function initializedVersion(
  { rpc, address, tag }: LiveStorage,
  layout: StorageLayout | undefined,
  signal: AbortSignal,
): Promise<bigint | undefined> {
  const variable = layout?.storage.find(({ label }) => /^_?initialized$/.test(label));
  const slots = [INITIALIZABLE, ...(variable ? [`0x${BigInt(variable.slot).toString(16)}`] : [])];
  const [named, placed] = await answers(
    rpc,
    slots.map((slot) => ({ method: 'eth_getStorageAt', params: [address, slot, tag] })),
    signal,
  );
  const inNamespace = typeof named === 'string' ? BigInt.asUintN(64, BigInt(named)) : 0n;
  if (inNamespace > 0n) return inNamespace;
  if (!variable || typeof placed !== 'string') return undefined;
  return BigInt.asUintN(8, BigInt(placed) >> BigInt(variable.offset * 8));
}
