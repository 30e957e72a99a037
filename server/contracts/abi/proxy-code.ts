import type { Address, Hex } from '../../api/primitives';

/** Code before the PUSH of the address: EIP-1167, its variants with PUSH0 and by Vyper, and the cheaper one. */
const MINIMAL_PROXY_HEADS: readonly Hex[] = [
  '0x363d3d373d3d3d363d',
  '0x365f5f375f5f365f',
  '0x3660006000376110006000366000',
  '0x3d3d3d3d363d3d37363d',
];
/** GAS DELEGATECALL */
const MINIMAL_PROXY_CALL = '5af4';
/** EIP-7702: code of a delegating account. */
const DELEGATION = /^0xef0100([0-9a-f]{40})$/;

/** The target in the code of minimal proxies and delegating accounts. */
export function fixedTarget(code: Hex): Address | undefined {
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
