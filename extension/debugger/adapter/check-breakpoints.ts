import type { FindRequest } from '../../../server/api/recording-search';
import { sentence } from '../../model/sentence';
import { isInvalidField } from './known-errors';
import type { RecordedTransaction } from './recorded-transaction';
import { NOWHERE } from './step-and-continue';

const SEARCH: FindRequest = {
  ...NOWHERE,
  from: 0,
  direction: 'forwards',
  mode: 'continue',
  granularity: 'line',
  depth: 'into',
  failures: 'none',
};

interface Given {
  condition?: string | undefined;
  message?: string | undefined;
}

/**
 * Why the condition of a breakpoint, or its message, cannot be used; undefined if it can. The service checks the expressions and their names
 * at the steps of the breakpoint, and searches nothing.
 */
export async function whyUnusable(
  recorded: RecordedTransaction,
  breakpoint: Partial<Pick<FindRequest, 'lines' | 'functions' | 'instructions' | 'slots'>>,
): Promise<string | undefined> {
  const { lines = [], functions = [], instructions = [], slots = [] } = breakpoint;
  const isPlain = ({ condition, message = '' }: Given): boolean =>
    condition === undefined && !message.includes('{');
  if ([...lines, ...functions, ...instructions, ...slots].every(isPlain)) return undefined;
  try {
    const from = Math.max(0, recorded.recording.steps - 1);
    await recorded.find({ ...SEARCH, from, ...breakpoint });
    return undefined;
  } catch (error) {
    if (!isInvalidField(error)) throw error;
    return sentence(error.message.replace(/^\w+\[0\]\./, ''));
  }
}

/** Whether a transaction emits an event of this name. */
export async function emits(recorded: RecordedTransaction, name: string): Promise<boolean> {
  const { reason } = await recorded.find({ ...SEARCH, events: [{ id: 0, name }] });
  return reason === 'event';
}
