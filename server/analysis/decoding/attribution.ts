import type { Hex } from '../../api/primitives';
import type { Trailing } from '../../api/trailing';
import { visibleText } from '../../api/visible-text';
import { readCbor, type CborValue } from './cbor';

/** Marks the end of data with an attribution (ERC-8021). */
const MARKER = '80218021802180218021802180218021';
const BYTE = 2;
const ADDRESS = 40;
const CODE_LIMIT = 64;
const MAX_CODES = 32;

/** What an attribution says, and where it begins. */
interface Attribution extends Pick<Trailing, 'codes' | 'registry'> {
  /** Index of its first digit. */
  readonly start: number;
}

/** Whether data ends as data with an attribution does. */
export const hasAttribution = (data: Hex): boolean => data.endsWith(MARKER);

/**
 * Reads the attribution at the end of data (ERC-8021): codes of apps and wallets, which are read from the end. Undefined if there is none,
 * or if it begins before the given digit.
 */
export function attributionIn(data: Hex, from: number): Attribution | undefined {
  if (!hasAttribution(data)) return undefined;
  const reader = new Backwards(data, from, data.length - MARKER.length);
  switch (reader.number(BYTE)) {
    case 0:
      return codesIn(reader);
    case 1: {
      const listed = codesIn(reader);
      const length = reader.number(BYTE);
      const chainId = length === undefined || length > 32 ? undefined : reader.digits(length * 2);
      const address = reader.digits(ADDRESS);
      if (!listed || !chainId || address === undefined) return undefined;
      const registry = { chainId: BigInt(`0x${chainId}`).toString(), address: `0x${address}` };
      return { codes: listed.codes, registry, start: reader.at };
    }
    case 2: {
      const length = reader.number(2 * BYTE);
      const map = length === undefined ? undefined : reader.digits(length * 2);
      const codes = map === undefined ? undefined : codesOfMap(map);
      return codes && { codes, start: reader.at };
    }
    default:
      return undefined;
  }
}

function codesIn(reader: Backwards): Attribution | undefined {
  const length = reader.number(BYTE);
  const digits = length === undefined ? undefined : reader.digits(length * 2);
  if (digits === undefined) return undefined;
  const text = Buffer.from(digits, 'hex').toString('latin1');
  return { codes: shown(text === '' ? [] : text.split(',')), start: reader.at };
}

/** `a` is the code of the app, `w` that of the wallet, `s` those of services. */
function codesOfMap(digits: string): string[] | undefined {
  try {
    const value = readCbor(Buffer.from(digits, 'hex'));
    if (!(value instanceof Map)) return undefined;
    const codes = ['a', 'w', 's'].flatMap((key): CborValue[] => [value.get(key) ?? []].flat());
    return shown(codes.filter((code) => typeof code === 'string'));
  } catch {
    return undefined; // not CBOR
  }
}

/** Anyone can append codes: they are untrusted. */
const shown = (codes: readonly string[]): string[] =>
  codes.slice(0, MAX_CODES).map((code) => visibleText(code).slice(0, CODE_LIMIT));

/** Reads digits from the end of data. */
class Backwards {
  constructor(
    private readonly data: Hex,
    private readonly from: number,
    /** Index of the digit that was read last. */
    public at: number,
  ) {}

  digits(count: number): string | undefined {
    const start = this.at - count;
    if (start < this.from) return undefined;
    const digits = this.data.slice(start, this.at);
    this.at = start;
    return digits;
  }

  number(count: number): number | undefined {
    const digits = this.digits(count);
    return digits === undefined ? undefined : Number.parseInt(digits, 16);
  }
}
