import { keccak256 } from 'ethers';
import type { Network } from '../../analysis/ports';
import type { Address, Hex } from '../../api/primitives';
import type { SourcePlace } from '../../api/source-locations';
import { contractDeclaration } from '../../sources/contract-declaration';
import type {
  ContractProgram,
  ProgramSource,
  UnmappedCompilation,
} from '../../sources/program-source';
import type { SourceText } from '../../sources/source-text';
import { delegateOf } from '../evm/delegation';
import { isCreationKind } from '../evm/frame';
import type { Recording } from '../recording';

/** A code that a recording executes. */
export interface ExecutedCode {
  /** The account whose code it is, in lower case. */
  readonly address: Address;
  readonly code: Uint8Array;
  readonly isCreation: boolean;
  /** Undefined if its source is not known, or has no map. */
  readonly program: ContractProgram | undefined;
  /** What is known of its source, if it has no program. */
  readonly unmapped: UnmappedCompilation | undefined;
}

/** The texts of a code's source, with a map or without. */
export const sourceFilesOf = ({ program, unmapped }: ExecutedCode): readonly SourceText[] =>
  program ? [...program.files.values()] : (unmapped?.files ?? []);

const declarations = new WeakMap<ExecutedCode, { place: SourcePlace | undefined }>();

/** Where the source of a code begins. @param name of its contract */
export function declarationOf(code: ExecutedCode, name: string): SourcePlace | undefined {
  const known = declarations.get(code) ?? {
    place: contractDeclaration(name, sourceFilesOf(code)),
  };
  declarations.set(code, known);
  return known.place;
}

/** The codes of a recording in the order of their first use, and the code of each frame. */
export interface ExecutedCodes {
  readonly codes: readonly ExecutedCode[];
  /** Index of the code by frame; undefined: the frame executes none. */
  readonly codeOf: readonly (number | undefined)[];
}

/** Sources that are looked up at a time. */
const LOOKUPS = 8;

/** @throws only if the signal is aborted */
export async function findCodes(
  network: Network,
  recording: Recording,
  source: ProgramSource,
  signal: AbortSignal,
): Promise<ExecutedCodes> {
  const numbers = new Map<string, number>();
  const found: Omit<ExecutedCode, 'program' | 'unmapped'>[] = [];
  const codeOf = recording.frames.map(({ context, firstStep, endStep }) => {
    if (firstStep === endStep) return undefined;
    const { code, codeAddress, kind } = context;
    const isCreation = isCreationKind(kind);
    const own = isCreation ? undefined : delegateOf(recording.world.account(codeAddress).code);
    const address = (own ?? codeAddress) as Address;
    const key = `${address} ${isCreation ? 'created' : ''} ${hashOf(code)}`;
    const known = numbers.get(key);
    if (known !== undefined) return known;
    const number = found.push({ address, code, isCreation }) - 1;
    numbers.set(key, number);
    return number;
  });
  const codes: ExecutedCode[] = [];
  for (let first = 0; first < found.length; first += LOOKUPS) {
    const part = found.slice(first, first + LOOKUPS).map(async (one) => {
      const { address, code, isCreation } = one;
      const executed = { address, code: toHex(code), isCreation };
      const program = await source.programOf(network, executed, signal);
      const unmapped = program ? undefined : await source.unmappedOf(network, executed, signal);
      return { ...one, program, unmapped };
    });
    codes.push(...(await Promise.all(part)));
  }
  return { codes, codeOf };
}

const toHex = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString('hex')}`;

const hashes = new WeakMap<Uint8Array, string>();

function hashOf(code: Uint8Array): string {
  const known = hashes.get(code) ?? keccak256(code);
  hashes.set(code, known);
  return known;
}
