import { invalidField } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import type { Disassembly } from '../../api/recording';
import type { DebuggedTransaction } from '../session/debugged-transaction';
import type { ExecutedCode } from '../session/executed-codes';
import { dataBytesAt, instructionText } from '../recording/decoded-instruction';
import { instructionAt, offsetsIn } from '../recording/instruction-offsets';
import { placeAt } from '../recording/program';

interface Query {
  readonly pc?: number | undefined;
  readonly before?: number | undefined;
  readonly count?: number | undefined;
}

const COUNT = 100;

/** @throws ApiError `invalidField` */
export function disassemblyAnswer(
  debugged: DebuggedTransaction,
  contract: number,
  { pc = 0, before = 0, count = COUNT }: Query,
): Disassembly {
  const executed = requireContract(debugged, contract);
  if (count > LIMITS.disassemblyPage) {
    throw invalidField('count', count, `a whole number up to ${LIMITS.disassemblyPage}`);
  }
  const { code } = executed;
  if (pc >= code.length) throw invalidField('pc', pc, `0 to ${code.length - 1}`);
  const offsets = offsetsIn(code);
  const first = Math.max(0, instructionAt(code, pc) - before);
  return {
    instructions: [...offsets.subarray(first, first + count)].map((offset) =>
      instruction(executed, offset),
    ),
    total: offsets.length,
    first,
  };
}

/** @throws ApiError `invalidField` */
export function requireContract({ codes }: DebuggedTransaction, contract: number): ExecutedCode {
  const executed = codes.codes[contract];
  if (executed) return executed;
  const last = codes.codes.length - 1;
  throw invalidField('contract', contract, last < 0 ? 'none' : `0 to ${last}`);
}

function instruction(
  { code, program }: ExecutedCode,
  pc: number,
): Disassembly['instructions'][number] {
  const bytes = Buffer.from(code.subarray(pc, pc + 1 + dataBytesAt(code, pc)));
  const place = program && placeAt(program, pc);
  return {
    pc,
    op: instructionText(code, pc),
    bytes: `0x${bytes.toString('hex')}`,
    ...(place && { place }),
  };
}
