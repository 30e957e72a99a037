import { keccak_256 } from '@noble/hashes/sha3';
import { bytesToHex } from '@noble/hashes/utils';

/** EIP-55: a letter is upper case if the matching digit of the address's hash is at least 8. */
export function checksumAddress(address: string): string {
  const digits = address.slice(2).toLowerCase();
  const hash = bytesToHex(keccak_256(new TextEncoder().encode(digits)));
  const mixed = digits.replace(/[a-f]/g, (digit, index: number) =>
    parseInt(hash.charAt(index), 16) >= 8 ? digit.toUpperCase() : digit,
  );
  return `0x${mixed}`;
}
