import type { FindRequest } from '../../api/recording-search';
import { parseExpression } from '../expressions/parse';
import { messageParts } from '../session/log-message';
import { wrongExpression } from './wrong-expression';

const KINDS = ['lines', 'functions', 'instructions', 'slots', 'events'] as const;

/** Refuses conditions and messages that are no expressions before the search reaches them. @throws ApiError `invalidField` that names the breakpoint */
export function requireExpressions(request: FindRequest): void {
  for (const kind of KINDS) {
    for (const [index, breakpoint] of request[kind].entries()) {
      const field = `${kind}[${index}]`;
      if (breakpoint.condition !== undefined) {
        requireExpression(`${field}.condition`, breakpoint.condition);
      }
      const message = 'message' in breakpoint ? breakpoint.message : undefined;
      for (const { text, isExpression } of messageParts(message ?? '')) {
        if (isExpression) requireExpression(`${field}.message`, text);
      }
    }
  }
}

function requireExpression(field: string, text: string): void {
  try {
    parseExpression(text);
  } catch (error) {
    throw wrongExpression(field, text, error);
  }
}
