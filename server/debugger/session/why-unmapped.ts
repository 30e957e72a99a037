import { vyperVersion } from '../../sources/vyper-version';
import type { ExecutedCode } from './executed-codes';

/** Language of a code's source; empty if unknown. */
export function languageOf({ program, unmapped, code }: ExecutedCode): string {
  const known = program?.language ?? unmapped?.language ?? '';
  return known === '' && vyperVersion(code) !== undefined ? 'Vyper' : known;
}

/** Why the code has no lines; undefined if it has some. */
export function whyNoLines(executed: ExecutedCode): string | undefined {
  const { address, program, unmapped } = executed;
  if (program) return undefined;
  const vyper = vyperCompiler(executed);
  const { whyNoTree } = unmapped ?? {};
  const why = whyNoTree === undefined ? '' : `${whyNoTree}; or `;
  return vyper === undefined
    ? `no source with a source map is known for the code of ${address}: ${why}compile it in the workspace, or verify it on Sourcify`
    : `the code of ${address} was compiled by ${vyper}, whose source maps are not read: its instructions are shown`;
}

/** Why the code has no variables; undefined where its source may say them. */
export function whyNoVariables(executed: ExecutedCode): string | undefined {
  if (executed.program) return undefined;
  const vyper = vyperCompiler(executed);
  return vyper === undefined
    ? 'its source is not known'
    : `it was compiled by ${vyper}, whose variables are not read`;
}

/** Such as `Vyper 0.3.10`, or `Vyper`; undefined if another compiler made the code, or it is not known. */
function vyperCompiler(executed: ExecutedCode): string | undefined {
  if (languageOf(executed) !== 'Vyper') return undefined;
  // Sourcify gives 0.3.10+commit.91361694.
  const [known = ''] = (executed.unmapped?.compilerVersion ?? '').split('+');
  const version = known === '' ? vyperVersion(executed.code) : known;
  return version === undefined ? 'Vyper' : `Vyper ${version}`;
}
