import { AbiCoder, id } from 'ethers';
import type { Address, Hex } from '../../api/primitives';
import type { UpgradeItem } from '../../api/upgrade-check';
import { addressIn } from '../../evm/forms/address-in';
import { answers } from '../../evm/forms/batch-answers';
import type { LiveStorage } from './live-values';

/** EIP-1967: keccak256('eip1967.proxy.admin') - 1 */
const ADMIN_SLOT = '0xb53127684a568b3173ae13b9f8a6016e243e63b6e8ee1178d6a717850b5d6103';
/** Contracts that own each other. */
const MAX_OWNERS = 4;

const selectorOf = (signature: string): Hex => id(signature).slice(0, 10) as Hex;

/** Who may upgrade a proxy, as far as the chain says. */
export async function authorityOf(proxy: LiveStorage, signal: AbortSignal): Promise<UpgradeItem[]> {
  const { rpc, address, tag } = proxy;
  const [adminWord] = await answers(
    rpc,
    [{ method: 'eth_getStorageAt', params: [address, ADMIN_SLOT, tag] }],
    signal,
  );
  const admin = addressIn(adminWord);
  const holder = admin ?? addressIn(await ask(proxy, address, 'owner()', signal));
  if (!holder) {
    const text =
      'who may upgrade the proxy is not known: it has no ERC-1967 admin, and owner() does not answer; roles and other rules of its code were not read';
    return [{ level: 'unknown', subject: 'authority', text }];
  }
  const first = `the ${admin ? 'admin of the proxy (ERC-1967)' : 'owner()'} is ${holder}`;
  const texts = [first];
  let current: Address | undefined = holder;
  const seen = new Set<Address>([address]);
  while (current && !seen.has(current) && seen.size <= MAX_OWNERS) {
    seen.add(current);
    const next: { text: string; owner: Address | undefined } = await kindOf(proxy, current, signal);
    texts.push(`${current} is ${next.text}`);
    current = next.owner;
  }
  return [{ level: 'info', subject: 'authority', text: texts.join('; ') }];
}

async function kindOf(
  proxy: LiveStorage,
  address: Address,
  signal: AbortSignal,
): Promise<{ text: string; owner: Address | undefined }> {
  const { rpc, tag } = proxy;
  const [code] = await answers(rpc, [{ method: 'eth_getCode', params: [address, tag] }], signal);
  if (typeof code !== 'string')
    return { text: 'an account whose code is not known', owner: undefined };
  if (code === '0x') return { text: 'an account without code: one key decides', owner: undefined };
  const asked = ['getThreshold()', 'getOwners()', 'getMinDelay()', 'delay()', 'owner()'];
  const [threshold, owners, minDelay, delay, owner] = await Promise.all(
    asked.map((signature) => ask(proxy, address, signature, signal)),
  );
  const members = addressesIn(owners);
  if (threshold !== undefined && members) {
    const text = `a multisig: ${BigInt(threshold)} of ${members.length} (${members.join(', ')})`;
    return { text, owner: undefined };
  }
  const seconds = minDelay ?? delay;
  if (seconds?.length === 66) {
    return { text: `a timelock with a delay of ${BigInt(seconds)} seconds`, owner: undefined };
  }
  const ownedBy = addressIn(owner);
  return ownedBy
    ? { text: `a contract that ${ownedBy} owns`, owner: ownedBy }
    : { text: 'a contract whose rules were not read', owner: undefined };
}

/** Undefined where the call fails or returns nothing. */
async function ask(
  { rpc, tag }: LiveStorage,
  to: Address,
  signature: string,
  signal: AbortSignal,
): Promise<Hex | undefined> {
  const data = selectorOf(signature);
  const [answer] = await answers(
    rpc,
    [{ method: 'eth_call', params: [{ to, data }, tag] }],
    signal,
  );
  return typeof answer === 'string' && answer.length > 2 ? (answer as Hex) : undefined;
}

function addressesIn(answer: Hex | undefined): string[] | undefined {
  if (answer === undefined) return undefined;
  try {
    const [addresses] = AbiCoder.defaultAbiCoder().decode(['address[]'], answer);
    return [...(addresses as string[])].map((one) => one.toLowerCase());
  } catch {
    return undefined;
  }
}
