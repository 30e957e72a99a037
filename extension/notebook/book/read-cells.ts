import * as l10n from '@vscode/l10n';
import { TABS, type Simulation, type TabId } from '../../../media/inspector/protocol/protocol';
import { shown } from '../../../server/api/errors';
import { isObject } from '../../model/is-object';
import { BookError } from './book';
import { Fields } from './read-fields';

/** A JSON-RPC request of a cell. */
export interface RpcRequest {
  method: string;
  params: unknown;
}

/** What a cell analyzes. */
export interface AnalyzeCell {
  /** Hash, lower case; `last`: the newest transaction that a JSON-RPC cell of the book sent. */
  transaction: string;
  /** Slug or id; undefined: the one that the book is bound to. */
  chain?: string;
  /** The view that is shown first. */
  view?: TabId;
}

const MAX_REQUESTS = 100;
const REQUEST_FIELDS = ['method', 'params', 'id', 'jsonrpc'];
/** Values of `view`. */
const VIEWS: Readonly<Record<TabId, string>> = {
  overview: 'overview',
  calls: 'calls',
  balances: 'balances',
  fundFlow: 'flow',
  events: 'events',
  state: 'state',
  gas: 'gas',
};

/** @throws BookError */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new BookError(l10n.t('The cell is not JSON: {0}', reason));
  }
}

/**
 * The requests of a cell: an object with `method` and `params`, or a list of such objects, which are sent one after the other.
 * @throws BookError with the field, the value and what is accepted
 */
export function readRequests(text: string): RpcRequest[] {
  const value = jsonOf(text);
  const requests: unknown[] = Array.isArray(value) ? value : [value];
  if (requests.length === 0 || requests.length > MAX_REQUESTS) {
    throw new BookError(
      l10n.t('The cell has {0} requests, and takes 1 to {1}.', requests.length, MAX_REQUESTS),
    );
  }
  return requests.map((request, at) => {
    const place = Array.isArray(value) ? `[${at}]` : '';
    if (!isObject(request)) {
      throw new BookError(
        l10n.t(
          'Request{0}: got {1}, takes an object such as {2}.',
          place,
          shown(request),
          '{ "method": "eth_blockNumber", "params": [] }',
        ),
      );
    }
    const other = Object.keys(request).find((field) => !REQUEST_FIELDS.includes(field));
    if (other !== undefined) {
      throw new BookError(
        l10n.t(
          'Request{0} has the unknown field "{1}"; it takes {2}.',
          place,
          other,
          REQUEST_FIELDS.join(', '),
        ),
      );
    }
    const { method, params = [] } = request;
    if (typeof method !== 'string' || !/^\w{1,100}$/.test(method)) {
      throw new BookError(
        l10n.t('method{0} is {1}, and takes the name of a method.', place, shown(method)),
      );
    }
    if (typeof params !== 'object' || params === null) {
      throw new BookError(
        l10n.t('params{0} is {1}, and takes a list or an object.', place, shown(params)),
      );
    }
    return { method, params };
  });
}

/**
 * The body of a simulation. The service checks the fields.
 * @throws BookError if it is no object with a sender
 */
export function readSimulation(text: string): Simulation['request'] {
  const value = jsonOf(text);
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
export function readAnalyze(text: string): AnalyzeCell {
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
  const name = fields.one('view');
  const view = TABS.find((tab) => VIEWS[tab] === name);
  if (name !== undefined && view === undefined) {
    throw new BookError(
      l10n.t('view: got {0}, takes one of {1}.', shown(name), Object.values(VIEWS).join(', ')),
    );
  }
  return { transaction, ...(chain !== undefined && { chain }), ...(view && { view }) };
}
