import type { DebugProtocol } from '@vscode/debugprotocol';
import { indexAt } from './instruction-text';
import type { Instruction, RecordedTransaction } from './recorded-transaction';
import type { Lines } from './lines';
import type { Sources } from './sources';

/** An instruction of a code. */
export interface InstructionPlace {
  /** Index of the code. */
  contract: number;
  pc: number;
}

/** Each code has a range of addresses of its own; none starts at 0, so that what is before it has addresses too. */
const RANGE = 2n ** 32n;
const MOST = 10_000;

/** Whether a number may be a distance within the addresses of a code. */
const isOffset = (value: number): boolean =>
  Number.isInteger(value) && Math.abs(value) < Number(RANGE / 2n);

export const addressOf = ({ contract, pc }: InstructionPlace): string =>
  `0x${(BigInt(contract + 1) * RANGE + BigInt(pc)).toString(16)}`;

/** @returns undefined for an address that is of no code */
export function placeOf(address: string, offset = 0): InstructionPlace | undefined {
  if (!/^0x[0-9a-f]{1,16}$/i.test(address) || !isOffset(offset)) return undefined;
  const at = BigInt(address) + BigInt(offset);
  // An offset may lead before the code.
  const contract = Number((at + RANGE / 2n) / RANGE) - 1;
  return contract < 0 ? undefined : { contract, pc: Number(at - BigInt(contract + 1) * RANGE) };
}

/** Instructions around an address. Those before and after the code are marked as invalid: the answer has the wanted number. */
export async function disassemble(
  recorded: RecordedTransaction,
  { sources, lines }: { sources: Sources; lines: Lines },
  args: DebugProtocol.DisassembleArguments,
): Promise<DebugProtocol.DisassembledInstruction[]> {
  const { memoryReference, offset = 0, instructionOffset = 0 } = args;
  const count = Math.min(args.instructionCount, MOST);
  const place = placeOf(memoryReference, offset);
  const isFar = !isOffset(instructionOffset) || !(count > 0);
  if (isFar || place === undefined || !recorded.recording.contracts[place.contract]) return [];
  const { contract } = place;
  const code = await recorded.instructions(contract);
  const first = indexAt(code, place.pc) + instructionOffset;
  const last = code.at(-1);
  const end = last === undefined ? 0 : last.pc + (last.bytes.length - 2) / 2;
  return Promise.all(
    Array.from({ length: count }, async (_, n) => {
      const index = first + n;
      const instruction = code[index];
      if (instruction !== undefined) return line(contract, instruction);
      const pc = index < 0 ? index : end + index - code.length;
      return {
        address: addressOf({ contract, pc }),
        instruction: '',
        presentationHint: 'invalid' as const,
      };
    }),
  );

  async function line(
    contract: number,
    { pc, op, bytes, place: source }: Instruction,
  ): Promise<DebugProtocol.DisassembledInstruction> {
    return {
      address: addressOf({ contract, pc }),
      instruction: op,
      instructionBytes: bytes.slice(2).replace(/..(?=.)/g, '$& '),
      ...(source !== undefined && {
        location: await sources.of(contract, source.file),
        ...lines.place(source),
      }),
    };
  }
}
