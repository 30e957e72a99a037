import type { Address } from '../../api/primitives';
import { emittedLogs, isAddedByChain } from '../../evm/families/polygon/added-logs';
import { executionSteps } from '../../analysis/call-frame';
import type { ExecutedTransaction } from '../../analysis/executed-transaction';
import type { Recording as RecordingAnswer } from '../../api/recording';
import { toWord } from '../../evm/forms/quantity';
import type { EmittedLog } from '../../evm/interpreter/world';
import type { Recording } from '../recording/recording';

interface ExpectedLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly data: string;
}

/** Compares a recording with the receipt; that of a simulation with the engine's call trace. */
export function verifyRecording(
  recording: Recording,
  floor: number,
  executed: ExecutedTransaction,
): RecordingAnswer['verification'] {
  const reason = difference(recording, floor, executed);
  if (reason !== undefined) return { level: 'different', reason };
  return { level: executed.isSimulated ? 'call-trace' : 'receipt' };
}

function difference(
  recording: Recording,
  floor: number,
  { mined: { receipt }, trace, isSimulated }: ExecutedTransaction,
): string | undefined {
  const { root, executor = 'engine' } = trace;
  const traceOf = executor === 'process' ? "the executor's trace" : "the engine's trace";
  const of = isSimulated ? traceOf : 'the receipt';
  const succeeded = recording.end?.kind === 'returned';
  // Receipts before Byzantium have no status; the trace has it.
  const { status } = receipt;
  const expected = status === undefined ? root.error === undefined : BigInt(status) === 1n;
  if (succeeded !== expected) {
    const ends = (is: boolean): string => (is ? 'succeeds' : 'fails');
    return `status: the recording ${ends(succeeded)}, the transaction ${ends(expected)}`;
  }
  const [gas, used] = [recording.gasUsed(floor), Number(receipt.gasUsed)];
  if (gas !== used) return `gas used: ${gas} in the recording, ${used} in ${of}`;
  const logs: readonly ExpectedLog[] = isSimulated
    ? executionSteps(root).flatMap(({ log, reverted }) => (log && !reverted ? [log] : []))
    : emittedLogs(receipt.logs);
  const emitted = recording.emitted.filter(
    ({ address, topics }) =>
      !isAddedByChain({ address: address as Address, topics: topics.slice(0, 1).map(toWord) }),
  );
  if (emitted.length !== logs.length) {
    return `logs: ${emitted.length} in the recording, ${logs.length} in ${of}`;
  }
  const other = logs.findIndex((log, index) => !isSame(emitted[index], log));
  return other === -1 ? undefined : `log ${other} differs from that in ${of}`;
}

const isSame = (one: EmittedLog | undefined, log: ExpectedLog): boolean =>
  one?.address === log.address.toLowerCase() &&
  `0x${Buffer.from(one.data).toString('hex')}` === log.data.toLowerCase() &&
  one.topics.length === log.topics.length &&
  one.topics.every((topic, index) => toWord(topic) === log.topics[index]?.toLowerCase());
