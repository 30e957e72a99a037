import type { Network } from '../analysis/ports';
import type { Address, Hex } from '../api/primitives';
import { toQuantity } from '../ethereum/quantity';
import { answers } from './batch-answers';

/** EIP-1967: keccak256('eip1967.proxy.implementation') - 1, and the same of `beacon`. */
const IMPLEMENTATION_SLOT = '0x360894a13ba1a3210667c828492db98dca3e2076cc3735a920a3ca505d382bbc';
const BEACON_SLOT = '0xa3f0ad74e5423aebfd80d3ef4346578335a9a72aeaee59ff6cb3582b35133d50';
const BEACON_IMPLEMENTATION_CALL = '0x5c60da1b'; // implementation()

/** What stands in front of the PUSH of the address: EIP-1167, and its variants with PUSH0, of Vyper, and the cheaper one. */
const MINIMAL_PROXY_HEADS: readonly Hex[] = [
  '0x363d3d373d3d3d363d',
  '0x365f5f375f5f365f',
  '0x3660006000376110006000366000',
  '0x3d3d3d3d363d3d37363d',
];
/** GAS DELEGATECALL */
const MINIMAL_PROXY_CALL = '5af4';
/** EIP-7702: the code of an account that delegates. */
const DELEGATION = /^0xef0100([0-9a-f]{40})$/;

/**
 * Where the contracts' calls go at the end of the block: minimal proxies and delegating accounts by their code, EIP-1967 proxies by their
 * storage, beacons by a call. Only code that holds an EIP-1967 slot is asked about. What a node does not answer is left out.
 */
export async function findImplementations(
  network: Network,
  codes: ReadonlyMap<Address, Hex>,
  block: bigint,
  signal: AbortSignal,
): Promise<Map<Address, Address>> {
  const found = new Map<Address, Address>();
  const asked: { proxy: Address; slot: Hex }[] = [];
  for (const [proxy, code] of codes) {
    const target = fixedTarget(code);
    if (target) found.set(proxy, target);
    else {
      for (const slot of [IMPLEMENTATION_SLOT, BEACON_SLOT] as const) {
        if (code.includes(slot.slice(2))) asked.push({ proxy, slot });
      }
    }
  }
  const tag = toQuantity(block);
  const stored = await answers(
    network,
    asked.map(({ proxy, slot }) => ({ method: 'eth_getStorageAt', params: [proxy, slot, tag] })),
    signal,
  );
  const beacons: { proxy: Address; beacon: Address }[] = [];
  for (const [index, { proxy, slot }] of asked.entries()) {
    const target = addressOf(stored[index]);
    if (!target) continue;
    if (slot === IMPLEMENTATION_SLOT) found.set(proxy, target);
    else if (!found.has(proxy)) beacons.push({ proxy, beacon: target });
  }
  const implementations = await answers(
    network,
    beacons.map(({ beacon }) => ({
      method: 'eth_call',
      params: [{ to: beacon, data: BEACON_IMPLEMENTATION_CALL }, tag],
    })),
    signal,
  );
  for (const [index, { proxy }] of beacons.entries()) {
    const target = addressOf(implementations[index]);
    if (target) found.set(proxy, target);
  }
  return found;
}

function fixedTarget(code: Hex): Address | undefined {
  const delegate = DELEGATION.exec(code)?.[1];
  if (delegate !== undefined) return `0x${delegate}`;
  const head = MINIMAL_PROXY_HEADS.find((one) => code.startsWith(one));
  if (head === undefined) return undefined;
  const length = parseInt(code.slice(head.length, head.length + 2), 16) - 0x5f; // PUSHn is 0x5f + n
  if (!(length > 0 && length <= 20)) return undefined; // an address with leading zeros may be shorter
  const start = head.length + 2;
  const digits = code.slice(start, start + length * 2);
  return code.startsWith(MINIMAL_PROXY_CALL, start + length * 2)
    ? `0x${digits.padStart(40, '0')}`
    : undefined;
}

/** The address in the last 20 bytes of a word; undefined for zero and for what is no address. */
function addressOf(word: unknown): Address | undefined {
  if (typeof word !== 'string') return undefined;
  const digits = /^0x(?:0{24})?([0-9a-f]{40})$/.exec(word.toLowerCase())?.[1];
  return digits === undefined || /^0+$/.test(digits) ? undefined : `0x${digits}`;
}
