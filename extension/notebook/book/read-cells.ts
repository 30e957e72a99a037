import * as l10n from '@vscode/l10n';
import { TABS, type TabId } from '../../../media/inspector/protocol/protocol';
import { shown } from '../../../server/api/errors';
import { isObject } from '../../../server/client/is-object';
import {
  cellJson,
  readAnalyzed,
  type AnalyzedTransaction,
} from '../../../server/client/book/analysis-cells';
import { BookError } from '../../../server/client/book/book';

/** A JSON-RPC request of a cell. */
export interface RpcRequest {
  method: string;
  params: unknown;
}

/** What a cell analyzes. */
export interface AnalyzeCell extends Omit<AnalyzedTransaction, 'view'> {
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

/**
 * The requests of a cell: an object with `method` and `params`, or a list of such objects, which are sent one after the other.
 * @throws BookError with the field, the value and what is accepted
 */
export function readRequests(text: string): RpcRequest[] {
  const value = cellJson(text);
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

/** @throws BookError with the field, the value and what is accepted */
export function readAnalyze(text: string): AnalyzeCell {
  const { view: name, ...cell } = readAnalyzed(text);
  const view = TABS.find((tab) => VIEWS[tab] === name);
  if (name !== undefined && view === undefined) {
    throw new BookError(
      l10n.t('view: got {0}, takes one of {1}.', shown(name), Object.values(VIEWS).join(', ')),
    );
  }
  return { ...cell, ...(view && { view }) };
}
