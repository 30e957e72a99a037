import { fixedTarget } from '../abi/proxy-code';
import type { Address } from '../../api/primitives';
import type { UnmappedCompilation } from './program-source';
import { vyperVersion } from './vyper-version';

/** A code without a program. */
export interface UnmappedCode {
  readonly address: Address;
  readonly code: Uint8Array;
  /** What is known of its source. */
  readonly unmapped: Omit<UnmappedCompilation, 'files'> | undefined;
}

const WHAT_TO_DO = 'compile it in the workspace, or verify it on Sourcify';

/** Language of a code without a program; empty if unknown. */
export function unmappedLanguage({ unmapped, code }: UnmappedCode): string {
  const known = unmapped?.language ?? '';
  return known === '' && vyperVersion(code) !== undefined ? 'Vyper' : known;
}

/** The contract whose code a minimal proxy (EIP-1167), or a variant of it, runs; undefined for other code. */
export const cloneTarget = ({ code }: Pick<UnmappedCode, 'code'>): Address | undefined =>
  fixedTarget(`0x${Buffer.from(code).toString('hex')}`);

/** Why the code has no lines, and what to do. */
export function whyUnmapped(unmapped: UnmappedCode): string {
  const { address } = unmapped;
  const target = cloneTarget(unmapped);
  if (target !== undefined) {
    return `the code of ${address} is a clone (EIP-1167), which delegates each call to ${target}: it has no source`;
  }
  const vyper = vyperCompiler(unmapped);
  if (vyper !== undefined) {
    return `the code of ${address} was compiled by ${vyper}, whose source maps are not read: its instructions are shown`;
  }
  const { origin, whyNoTree, hasUnfitMap = false } = unmapped.unmapped ?? {};
  if (origin === undefined) {
    return `no source with a source map is known for the code of ${address}: ${WHAT_TO_DO}`;
  }
  const how = whyNoTree === undefined ? WHAT_TO_DO : `${whyNoTree}; or ${WHAT_TO_DO}`;
  return `the source of the code of ${address}, from ${origin}, has ${hasUnfitMap ? 'a source map that does not fit its code and files' : 'no source map'}, so that its lines are not known: ${how}`;
}

/** Such as `Vyper 0.3.10`, or `Vyper`; undefined if another compiler made the code, or it is not known. */
export function vyperCompiler(unmapped: UnmappedCode): string | undefined {
  if (unmappedLanguage(unmapped) !== 'Vyper') return undefined;
  // Sourcify gives 0.3.10+commit.91361694.
  const [known = ''] = (unmapped.unmapped?.compilerVersion ?? '').split('+');
  const version = known === '' ? vyperVersion(unmapped.code) : known;
  return version === undefined ? 'Vyper' : `Vyper ${version}`;
}
