import { LIMITS } from '../../api/limits';
import type { Found } from '../../api/recording-search';
import type { Evaluate } from './evaluate';
import { messageParts } from './log-message';

type Logged = Found['logged'][number];

/** Messages of an answer, including those of a step that begins below the limit. */
const MOST = { messages: 2 * LIMITS.searchMessages, characters: 2 * LIMITS.searchText };

/** What a search logs on its way, as much as one answer may have. */
export class LoggedMessages {
  readonly #logged: Logged[] = [];
  #characters = 0;
  #omitted = 0;

  /** Whether the answer should end. */
  get isLong(): boolean {
    return this.#logged.length >= LIMITS.searchMessages || this.#characters >= LIMITS.searchText;
  }

  /** Whether further messages are left out. */
  get isFull(): boolean {
    return this.#logged.length >= MOST.messages || this.#characters >= MOST.characters;
  }

  get answer(): Pick<Found, 'logged' | 'omitted'> {
    return { logged: this.#logged, ...(this.#omitted > 0 && { omitted: this.#omitted }) };
  }

  add(one: Logged): void {
    if (this.isFull) this.#omitted++;
    else {
      this.#logged.push(one);
      this.#characters += one.text.length;
    }
  }

  /** Counts a message that is left out, which is not even made. */
  omit(): void {
    this.#omitted++;
  }
}

/** The message of a logpoint, with the values of the expressions in braces. */
export async function messageAt(
  message: string,
  step: number,
  evaluate: Evaluate,
): Promise<string> {
  let whole = '';
  for (const { text, isExpression } of messageParts(message)) {
    whole += isExpression ? await valueText(text, step, evaluate) : text;
    if (whole.length > LIMITS.loggedMessage) {
      return `${whole.slice(0, LIMITS.loggedMessage)}… (cut at ${LIMITS.loggedMessage} characters)`;
    }
  }
  return whole;
}

async function valueText(expression: string, step: number, evaluate: Evaluate): Promise<string> {
  const { text, unavailable, assumption } = await evaluate(step, expression, false);
  if (unavailable !== undefined) return `(${unavailable})`;
  return assumption === undefined ? text : `${text} (assumed: ${assumption})`;
}
