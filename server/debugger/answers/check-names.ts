import type { FindRequest } from '../../api/recording-search';
import { inSlices, Pauses } from '../../kernel/async/slices';
import { languageOf } from '../languages/languages';
import type { ExpressionError } from '../languages/port/expression-error';
import type { Language } from '../languages/port/language';
import type { ReadName } from '../languages/port/variables';
import { breakpointsWork } from '../session/breakpoints';
import type { DebuggedTransaction } from '../session/debugged-transaction';
import { givenExpressions, KINDS } from './check-conditions';
import { wrongExpression } from './wrong-expression';

/** Steps at which a name is looked up that the source mentions somewhere. */
const MAX_LOOKUPS = 100;
const KEPT = 1_000;
const checked = new WeakMap<DebuggedTransaction, Map<string, ExpressionError | undefined>>();

/**
 * Refuses conditions and messages with a name that means nothing at any step at which their breakpoint may stop. Where that is not proved,
 * as in code without a syntax tree, the search itself finds it.
 * @throws ApiError `invalidField` that names the breakpoint, the name and those that are known; the signal's reason
 */
export async function requireKnownNames(
  debugged: DebuggedTransaction,
  request: FindRequest,
  signal: AbortSignal,
): Promise<void> {
  const known = checked.get(debugged) ?? new Map<string, ExpressionError | undefined>();
  checked.set(debugged, known);
  const pauses = new Pauses(signal);
  for (const kind of KINDS) {
    for (const [index, breakpoint] of request[kind].entries()) {
      const given = givenExpressions(breakpoint);
      if (given.length === 0) continue;
      const alone = { ...request, ...NO_BREAKPOINTS, [kind]: [breakpoint] };
      let steps: readonly number[] | undefined;
      for (const { field, text } of given) {
        await pauses.ifDue();
        const place = { ...breakpoint, id: 0, condition: '', message: '', hits: 0 };
        const key = JSON.stringify([kind, place, text]);
        if (!known.has(key)) {
          steps ??= (await inSlices(breakpointsWork(debugged, alone), signal))[0]?.steps ?? [];
          const error = await unknownIn(debugged, steps, text, signal);
          if (known.size >= KEPT) known.clear();
          known.set(key, error);
        }
        const error = known.get(key);
        if (error) throw wrongExpression(`${kind}[${index}].${field}`, text, error);
      }
    }
  }
}

const NO_BREAKPOINTS: Pick<FindRequest, (typeof KINDS)[number] | 'failures'> = {
  lines: [],
  functions: [],
  instructions: [],
  slots: [],
  events: [],
  failures: 'none',
};

async function unknownIn(
  debugged: DebuggedTransaction,
  steps: readonly number[],
  text: string,
  signal: AbortSignal,
): Promise<ExpressionError | undefined> {
  const languages = new Set(steps.map((step) => languageAt(debugged, step)));
  const [language] = languages;
  if (language === undefined || languages.size > 1) return undefined;
  for (const name of language.namesRead(text)) {
    const error = await unknownEverywhere(debugged, steps, name, signal);
    if (error) return error;
  }
  return undefined;
}

/** Undefined where no language says what names mean. */
function languageAt(debugged: DebuggedTransaction, step: number): Language | undefined {
  const program = debugged.programOf(debugged.recording.at(step).frame);
  return program && languageOf(program);
}

/** @returns undefined where the name means something at one of the steps, or that is not excluded */
async function unknownEverywhere(
  debugged: DebuggedTransaction,
  steps: readonly number[],
  name: ReadName,
  signal: AbortSignal,
): Promise<ExpressionError | undefined> {
  const { recording, variables } = debugged;
  const unmentioned = new Set<unknown>();
  let found: ExpressionError | undefined;
  let lookups = 0;
  for (const step of steps) {
    const mentioned = variables.mentioned(recording.at(step).frame);
    if (!mentioned) return undefined;
    if (unmentioned.has(mentioned)) continue;
    if (++lookups > MAX_LOOKUPS) return undefined;
    const error = await unknownAt(debugged, step, name, signal);
    if (!error) return undefined;
    found ??= error;
    if (!mentioned.has(name.name)) unmentioned.add(mentioned);
  }
  return found;
}

async function unknownAt(
  { recording, variables, calls, untouched }: DebuggedTransaction,
  step: number,
  name: ReadName,
  signal: AbortSignal,
): Promise<ExpressionError | undefined> {
  await inSlices(recording.stateWork(step), signal);
  await inSlices(variables.prepareWork(step, calls.callOf[step] ?? 0), signal);
  return untouched.reading(() => variables.at(step).unknown(name), signal);
}
