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

/** Why a condition, or the message of a logpoint, cannot be used; undefined if it can. The service reads it, and searches nothing. */
export async function whyUnusable(
  recorded: RecordedTransaction,
  given: { condition?: string | undefined; message?: string | undefined },
): Promise<string | undefined> {
  const { condition = '', message = '' } = given;
  if (condition === '' && !message.includes('{')) return undefined;
  const line = {
    ...{ id: 0, file: '', line: 1, message },
    ...(condition !== '' && { condition }),
  };
  try {
    const from = Math.max(0, recorded.recording.steps - 1);
    await recorded.find({ ...SEARCH, from, lines: [line] });
    return undefined;
  } catch (error) {
    if (!isInvalidField(error)) throw error;
    return sentence(error.message.replace(/^lines\[0\]\./, ''));
  }
}

/** Whether a transaction emits an event of this name. */
export async function emits(recorded: RecordedTransaction, name: string): Promise<boolean> {
  const { reason } = await recorded.find({ ...SEARCH, events: [{ id: 0, name }] });
  return reason === 'event';
}
