import {
  cloneTarget,
  unmappedLanguage,
  vyperCompiler,
  whyUnmapped,
} from '../../contracts/sources/why-unmapped';
import type { ExecutedCode } from './executed-codes';

/** Language of a code's source; empty if unknown. */
export const languageOf = (executed: ExecutedCode): string =>
  executed.program?.language ?? unmappedLanguage(executed);

/** Why the code has no lines; undefined if it has some. */
export const whyNoLines = (executed: ExecutedCode): string | undefined =>
  executed.program ? undefined : whyUnmapped(executed);

/** Why the code has no variables; undefined where its source may say them. */
export function whyNoVariables(executed: ExecutedCode): string | undefined {
  if (executed.program) return undefined;
  if (cloneTarget(executed) !== undefined) return 'it is a clone (EIP-1167), which has no source';
  const vyper = vyperCompiler(executed);
  if (vyper !== undefined) return `it was compiled by ${vyper}, whose variables are not read`;
  return executed.unmapped === undefined
    ? 'its source is not known'
    : 'its source has no source map';
}
