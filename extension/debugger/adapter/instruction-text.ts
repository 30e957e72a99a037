import * as l10n from '@vscode/l10n';
import { shortHex } from '../../../server/client/format';
import { sentence } from '../../model/sentence';
import type { Instruction, RecordedTransaction } from './recorded-transaction';

/** The name of a code's instructions, as those of a source. */
export const instructionsName = ({ recording }: RecordedTransaction, contract: number): string =>
  l10n.t('{0} (disassembly)', codeName(recording.contracts[contract]));

/** The instructions of a code as a text that is shown in place of its source: one a line, with its offset. */
export async function instructionsText(
  recorded: RecordedTransaction,
  contract: number,
): Promise<string> {
  const code = await recorded.instructions(contract);
  const digits = (code.at(-1)?.pc ?? 0).toString(16).length;
  const lines = code.map(({ pc, op }) => `0x${pc.toString(16).padStart(digits, '0')}  ${op}`);
  return [...headOf(recorded, contract), ...lines, ''].join('\n');
}

/** The line of an instruction in that text, from 1. */
export async function instructionLine(
  recorded: RecordedTransaction,
  { contract, pc }: { contract: number; pc: number },
): Promise<number> {
  const index = indexAt(await recorded.instructions(contract), pc);
  return headOf(recorded, contract).length + index + 1;
}

/** Index of the instruction at an offset, or of the one that contains it; before and after the code, each byte counts as one. */
export function indexAt(code: readonly Instruction[], pc: number): number {
  if (pc < 0) return pc;
  const after = code.findIndex((instruction) => instruction.pc > pc);
  if (after !== -1) return after - 1;
  const last = code.at(-1);
  if (last === undefined) return pc;
  return code.length - 1 + Math.max(0, pc - last.pc - ((last.bytes.length - 2) / 2 - 1));
}

/** The lines before the first instruction: which code it is, and why there is no source. */
function headOf({ recording }: RecordedTransaction, contract: number): string[] {
  const code = recording.contracts[contract];
  const reason = code?.unavailable ?? l10n.t('these instructions belong to no line of the source');
  const lines = [codeName(code), ...sentence(reason).split(/(?<=:) /)];
  return [...lines.map((line) => `// ${line}`), ''];
}

const codeName = (code: { name: string; address: string } | undefined): string =>
  code === undefined || code.name === '' ? shortHex(code?.address ?? '') : code.name;
