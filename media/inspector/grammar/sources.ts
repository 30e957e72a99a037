import type { DecodeSource } from '../../../server/api/decoding';

/** Who vouches for a decode, in the reader's words; from the most to the least trustworthy. */
export const SOURCE_WORDS: Readonly<Record<DecodeSource, string>> = {
  artifact: 'a contract of the workspace, known by its bytecode or by where it was deployed',
  sourcify: 'verified source on Sourcify',
  etherscan: 'verified source on a block explorer',
  user: 'an ABI that you gave for the address',
  workspace: 'a signature of the workspace',
  'built-in': 'a built-in standard or well-known contract',
  packages: 'the ABI of a well-known package',
  '4byte': 'a guess by a signature database',
};

export const DECODE_SOURCES = Object.keys(SOURCE_WORDS) as readonly DecodeSource[];
