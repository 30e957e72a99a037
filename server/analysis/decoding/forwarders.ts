import type { Hex } from '../../api/primitives';
import type { Contract } from '../ports';
import { containsSelector } from './fallback-rule';

/** `isTrustedForwarder(address)` (ERC-2771). */
const IS_TRUSTED_FORWARDER: Hex = '0x572b6c05';
/** `execute` of OpenZeppelin's `MinimalForwarder` (4.x) and `ERC2771Forwarder` (5.x), and that of OpenGSN's `Forwarder` (2.x, 3.x). */
const EXECUTE: readonly Hex[] = ['0x47153f82', '0xdf905caf', '0xe024dc7f'];

/** Whether the code of a contract is that of a forwarder, which appends the sender of a request to its call. */
export const isForwarder = (contract: Contract | undefined): boolean =>
  EXECUTE.some((selector) => has(contract, selector));

/** Whether a contract declares which forwarders it trusts. */
export const trustsForwarders = (contract: Contract | undefined): boolean =>
  has(contract, IS_TRUSTED_FORWARDER);

const has = (contract: Contract | undefined, selector: Hex): boolean =>
  (contract?.code !== undefined && containsSelector(contract.code, selector)) ||
  (contract?.interface?.functions(selector).length ?? 0) > 0;
