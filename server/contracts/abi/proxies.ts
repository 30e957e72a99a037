import { AbiCoder } from 'ethers';
import type { Network } from '../../analysis/ports';
import type { Address, Hex } from '../../api/primitives';
import { addressIn } from '../../evm/forms/address-in';
import { answers } from '../../evm/forms/batch-answers';
import { toQuantity } from '../../evm/forms/quantity';
import { fixedTarget } from './proxy-code';

/** Targets of a proxy's calls. */
export interface ProxyTargets {
  readonly implementation?: Address;
  /** Facets of a diamond (EIP-2535). */
  readonly facets?: readonly Address[];
}

/** A storage slot of an implementation's address, and how to detect that code reads it. The best known come first. */
interface Slot {
  readonly slot: Hex;
  readonly isReadBy: (code: Hex) => boolean;
  /** The slot contains the address of a beacon, which returns the implementation. */
  readonly beacon?: true;
}

const slotOf = (slot: Hex, beacon?: true): Slot => ({
  slot,
  isReadBy: (code) => code.includes(slot.slice(2)),
  ...(beacon && { beacon }),
});

/** Maximum length in hex digits. A Safe's proxy, with its `masterCopy` in slot 0, is short and answers `masterCopy()` itself. */
const LONGEST_SAFE_PROXY = 800;
const MASTER_COPY_SELECTOR = 'a619486e';

const SLOTS: readonly Slot[] = [
  // EIP-1967: keccak256('eip1967.proxy.implementation') - 1
  slotOf('0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc'),
  // EIP-1822 (UUPS): keccak256('PROXIABLE')
  slotOf('0xc5f16f0fcc639fa48a6947836d9850f504798523bf8c9a3a87d5876cf622bcf7'),
  // ZeppelinOS, used by USDC: keccak256('org.zeppelinos.proxy.implementation')
  slotOf('0x7050c9e0f4ca769c69bd3a8ef740bc37934f8e2c036e5a723fd8ee048ed3f8c3'),
  {
    slot: `0x${'0'.repeat(64)}`,
    isReadBy: (code) => code.length <= LONGEST_SAFE_PROXY && code.includes(MASTER_COPY_SELECTOR),
  },
  // EIP-1967: keccak256('eip1967.proxy.beacon') - 1
  slotOf('0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50', true),
];
const BEACON_IMPLEMENTATION_CALL = '0x5c60da1b'; // implementation()

/** keccak256('diamond.standard.diamond.storage'): slot of the facets in the reference implementations of EIP-2535. */
const DIAMOND_STORAGE = 'c8fcad8db84d3cc18b4c41d551ea0ee66dd599cde068d998e57d5e09332c131c';
const FACET_ADDRESSES_CALL = '0x52ef6b2c'; // facetAddresses()
const MAX_FACETS = 100;

/**
 * Finds the targets of the contracts' calls at the end of the block: of minimal proxies and delegating accounts by their code, of other
 * proxies by their storage, of beacons and diamonds by a call. Reads only slots that the code uses. Omits contracts for which the node does
 * not answer.
 */
export async function findImplementations(
  network: Network,
  codes: ReadonlyMap<Address, Hex>,
  block: bigint,
  signal: AbortSignal,
): Promise<Map<Address, ProxyTargets>> {
  const found = new Map<Address, ProxyTargets>();
  const asked: { proxy: Address; slot: Slot }[] = [];
  const diamonds: Address[] = [];
  for (const [proxy, code] of codes) {
    const target = fixedTarget(code);
    if (target) found.set(proxy, { implementation: target });
    else {
      for (const slot of SLOTS) if (slot.isReadBy(code)) asked.push({ proxy, slot });
      if (code.includes(DIAMOND_STORAGE)) diamonds.push(proxy);
    }
  }
  const tag = toQuantity(block);
  const stored = await answers(
    network.rpc,
    asked.map(({ proxy, slot }) => ({
      method: 'eth_getStorageAt',
      params: [proxy, slot.slot, tag],
    })),
    signal,
  );
  const beacons: { proxy: Address; beacon: Address }[] = [];
  for (const [index, { proxy, slot }] of asked.entries()) {
    const target = addressIn(stored[index]);
    if (!target || found.has(proxy)) continue;
    if (slot.beacon) beacons.push({ proxy, beacon: target });
    else found.set(proxy, { implementation: target });
  }
  const call = (to: Address, data: Hex) => ({ method: 'eth_call', params: [{ to, data }, tag] });
  const contractAnswers = await answers(
    network.rpc,
    [
      ...beacons.map(({ beacon }) => call(beacon, BEACON_IMPLEMENTATION_CALL)),
      ...diamonds.map((diamond) => call(diamond, FACET_ADDRESSES_CALL)),
    ],
    signal,
  );
  for (const [index, { proxy }] of beacons.entries()) {
    const target = addressIn(contractAnswers[index]);
    if (target) found.set(proxy, { implementation: target });
  }
  for (const [index, diamond] of diamonds.entries()) {
    const facets = addressesIn(contractAnswers[beacons.length + index]);
    if (facets.length > 0) found.set(diamond, { ...found.get(diamond), facets });
  }
  return found;
}

function addressesIn(answer: unknown): Address[] {
  try {
    const [addresses] = AbiCoder.defaultAbiCoder().decode(['address[]'], String(answer));
    return [...(addresses as string[])]
      .slice(0, MAX_FACETS)
      .map((address) => address.toLowerCase() as Address);
  } catch {
    return [];
  }
}
