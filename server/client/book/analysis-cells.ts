import * as l10n from '@vscode/l10n';
import { shown } from '../../api/errors';
import { isObject } from '../is-object';
import { BookError } from './book';
import { Fields } from './cell-fields';

/** What a cell analyzes. */
export interface AnalyzedTransaction {
  /** Hash, lower case; `last`: the newest transaction that a JSON-RPC cell of the book sent. */
  transaction: string;
  /** Slug or id; undefined: the one that the book is bound to. */
  chain?: string;
  /** The view that is shown first, as it is written. */
  view?: string;
}

/** The JSON value of a cell. @throws BookError */
export function cellJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BookError(l10n.t('The cell is not JSON: {0}', reason));
  }
}

/**
 * The body of a simulation. The service checks the fields.
 * @throws BookError if it is no object with a sender
 */
export function readSimulation(text: string): Record<string, unknown> & { from: string } {
  const value = cellJson(text);
  if (isObject(value) && typeof value['from'] === 'string')
    return { ...value, from: value['from'] };
  throw new BookError(
    l10n.t(
      'The cell is {0}, and takes the body of a simulation such as {1}.',
      shown(value),
      '{ "from": "0x…", "to": "0x…", "data": "0x" }',
    ),
  );
}

/**
 * What to analyze: a line with a hash, or lines `transaction: …`, `chain: …` and `view: …`.
 * @throws BookError with the field, the value and what is accepted
 */
export function readAnalyzed(text: string): AnalyzedTransaction {
  const names = ['transaction', 'chain', 'view'] as const;
  const fields = new Fields(text, { main: 'transaction', names });
  const transaction = (fields.one('transaction') ?? '').toLowerCase();
  if (transaction !== 'last' && !/^0x[0-9a-f]{64}$/.test(transaction)) {
    throw new BookError(
      l10n.t(
        'transaction: got {0}, takes 0x and 64 hex digits, or "last" for the newest that the book sent.',
        shown(fields.one('transaction') ?? ''),
      ),
    );
  }
  const chain = fields.chain('chain');
  const view = fields.one('view');
  return {
    transaction,
    ...(chain !== undefined && { chain }),
    ...(view !== undefined && { view }),
  };
}
