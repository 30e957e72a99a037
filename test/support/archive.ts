import { call } from './json-rpc';
import { startAnvil, type BareAnvil } from './bare-anvil';

const SLOTS = `0x${'c0'.padStart(40, '0')}`;
const RICH = `0x${'dead'.padStart(40, '0')}`;
/** Returns the slot whose number is the call data. */
const CODE = '0x5f35545f5260205ff3';

/**
 * A chain of six blocks, for the project `test/fixtures/lock`: after block n, an account has n ether. A contract has the values 7 and 8 in
 * its slots 0 and 1.
 */
export async function startArchive(...args: string[]): Promise<BareAnvil> {
  const anvil = await startAnvil(...args);
  await call(anvil.url, 'anvil_setCode', SLOTS, CODE);
  for (const slot of [0, 1]) {
    const value = `0x${(7 + slot).toString(16).padStart(64, '0')}`;
    await call(anvil.url, 'anvil_setStorageAt', SLOTS, `0x${slot}`, value);
  }
  const [from] = await call<string[]>(anvil.url, 'eth_accounts');
  for (let block = 1; block <= 6; block++) {
    const ether = { from, to: RICH, value: `0x${(10n ** 18n).toString(16)}` };
    await call(anvil.url, 'eth_sendTransaction', ether);
  }
  return anvil;
}
