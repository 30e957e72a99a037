const PREFIX = [0xef, 0x01, 0x00];
const LENGTH = 23;

/** The account that the code of a delegating account names (EIP-7702), in lower case; undefined for other code. */
export function delegateOf(code: Uint8Array): string | undefined {
  if (code.length !== LENGTH || PREFIX.some((byte, index) => code[index] !== byte))
    return undefined;
  return `0x${Buffer.from(code.subarray(PREFIX.length)).toString('hex')}`;
}
