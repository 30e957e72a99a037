import { Interface, type Result } from 'ethers';
import { ExpressionError } from '../../../server/debugger/languages/port/expression-error';
import { bytesText } from '../../../server/debugger/languages/solidity/values/words';
import type { Debugged } from './debugged';

/** What a contract itself says of an expression, by an event that it emits, and what the debugger says. */
export interface Witness {
  line: string;
  expression: string;
  /** Of the event. */
  emitted: string;
  /** undefined: unavailable */
  shown: string | undefined;
  unavailable: string | undefined;
}

/**
 * The arguments of every event that a recording emits, evaluated by the debugger where the statement begins.
 * @param text the source: events are declared as `event Name(types names);`, and emitted on lines of their own
 */
export function witnesses(
  text: string,
  { recording, calls, stops, variables }: Debugged,
): Witness[] {
  const events = new Interface(text.match(/event \w+\([^)]*\)/g) ?? []);
  const lines = text.split('\n');
  return recording.logs.flatMap(({ step, topics, data }) => {
    const log = events.parseLog({
      topics: topics.map((topic) => `0x${topic.toString(16).padStart(64, '0')}`),
      data: `0x${Buffer.from(data).toString('hex')}`,
    })!;
    const call = calls.callOf[step]!;
    let stop = stops.indexAt(step);
    while (stop >= 0 && calls.callOf[stops.steps[stop]!] !== call) stop--;
    if (stop < 0) throw new Error(`nothing stops in the call that emits ${log.name}`);
    const line = lines[stops.line(stop)!.line - 1]!.trim();
    const [, given] = /^emit \w+\((.*)\);/.exec(line) ?? [];
    if (given === undefined) throw new Error(`an event is not on a line of its own: ${line}`);
    return given.split(', ').map((expression, index) => {
      const at = variables.at(stops.steps[stop]!);
      const variable = ((): { value: string; unavailable?: string | undefined } => {
        try {
          return at.evaluate(expression);
        } catch (error) {
          if (!(error instanceof ExpressionError)) throw error;
          return { value: '', unavailable: error.message };
        }
      })();
      const { type } = log.fragment.inputs[index]!;
      return {
        line,
        expression,
        emitted: textOf(type, log.args[index]),
        shown: variable.unavailable === undefined ? variable.value : undefined,
        unavailable: variable.unavailable,
      };
    });
  });
}

function textOf(type: string, value: unknown): string {
  if (type.endsWith('[]')) {
    return `[${[...(value as Result)].map((one) => textOf(type.slice(0, -2), one)).join(', ')}]`;
  }
  if (type === 'string') return bytesText('string', Buffer.from(String(value)));
  if (type === 'bytes') return `hex"${String(value).slice(2)}"`;
  return String(value).toLowerCase();
}
