import type { FindRequest } from '../../api/recording-search';
import { Pauses } from '../../kernel/async/slices';
import { requireExpression } from '../languages/languages';
import { messageParts } from '../session/log-message';
import { wrongExpression } from './wrong-expression';

export const KINDS = ['lines', 'functions', 'instructions', 'slots', 'events'] as const;

/** An expression of a breakpoint, and the field that has it. */
interface GivenExpression {
  readonly field: 'condition' | 'message';
  readonly text: string;
}

/** The condition of a breakpoint, and the expressions in its message. */
export function givenExpressions(
  breakpoint: FindRequest[(typeof KINDS)[number]][number],
): GivenExpression[] {
  const { condition } = breakpoint;
  const message = 'message' in breakpoint ? breakpoint.message : undefined;
  return [
    ...(condition === undefined ? [] : [{ field: 'condition' as const, text: condition }]),
    ...messageParts(message ?? '').flatMap(({ text, isExpression }) =>
      isExpression ? [{ field: 'message' as const, text }] : [],
    ),
  ];
}

/**
 * Refuses conditions and messages that are no expressions before the search reaches them.
 * @throws ApiError `invalidField` that names the breakpoint; the signal's reason
 */
export async function requireExpressions(request: FindRequest, signal: AbortSignal): Promise<void> {
  const parsed = new Set<string>();
  const pauses = new Pauses(signal);
  for (const kind of KINDS) {
    for (const [index, breakpoint] of request[kind].entries()) {
      await pauses.ifDue();
      for (const { field, text } of givenExpressions(breakpoint)) {
        if (parsed.has(text)) continue;
        parsed.add(text);
        try {
          requireExpression(text);
        } catch (error) {
          throw wrongExpression(`${kind}[${index}].${field}`, text, error);
        }
      }
    }
  }
}
