import type { NestedCall, Param } from '../../../server/api/decoding';
import { callName } from '../../../server/presentation/lines';
import type { Names } from '../../../server/presentation/segment';
import type { FlowRow } from '../protocol/protocol';

const ADDRESS = /0x[0-9a-f]{40}(?![0-9a-f])/g;
/** A longer value is searched without the names of the addresses in it. */
const NAMED_VALUE_LIMIT = 20_000;

/** Separates fields, so that no term matches across two of them. */
const BREAK = '\n';

/** Collects all text of a row without recursion, because the author of a transaction controls how deep calls are nested. */
class Collector {
  readonly #pieces: string[] = [];
  readonly #names: Names;

  constructor(names: Names) {
    this.#names = names;
  }

  text(...texts: readonly string[]): void {
    for (const text of texts) if (text !== '') this.#pieces.push(text);
  }

  address(address: string): void {
    if (address === '') return;
    this.#pieces.push(address);
    const name = this.#names(address);
    if (name !== undefined) this.#pieces.push(name);
  }

  params(params: readonly Param[]): void {
    const pending: (Param | NestedCall)[] = [...params].reverse();
    for (let next = pending.pop(); next; next = pending.pop()) {
      if ('path' in next) {
        this.address(next.to);
        this.text(next.signature);
        pending.push(...next.callParams);
        continue;
      }
      const { name, type, value, nested, readings = [] } = next;
      this.text(name);
      if (type === 'address') this.address(value);
      else {
        this.text(value);
        if (type.includes('address') && value.length <= NAMED_VALUE_LIMIT) {
          for (const [address] of value.matchAll(ADDRESS)) this.text(this.#names(address) ?? '');
        }
      }
      for (const { amount, symbol, time } of readings)
        this.text(amount ?? time ?? '', symbol ?? '');
      if (nested) pending.push(...nested);
    }
  }

  joined(): string {
    return this.#pieces.join(BREAK).toLowerCase();
  }
}

/** The searchable text of a row in lower case: names, addresses, arguments, results, reasons. Excludes raw data. */
export function rowText(row: FlowRow, names: Names): string {
  const text = new Collector(names);
  if (row.nodeType === 1) {
    const { contract, decodedLog, topics } = row.event;
    text.address(contract);
    text.text(decodedLog.signature, ...topics);
    text.params(decodedLog.params);
    return text.joined();
  }
  const call = row.invocation;
  text.text(call.operation, call.selector);
  text.address(call.fromAddress);
  text.address(call.address);
  if (call.decodedMethod) {
    text.text(call.decodedMethod.signature);
    text.params(call.decodedMethod.callParams);
    text.params(call.decodedMethod.returnParams);
  } else {
    const name = callName(call);
    if (name !== call.selector) text.text(name);
  }
  text.text(call.message ?? '');
  for (const { sender = '', codes = [], text: words = '' } of call.decodedMethod?.trailing ?? []) {
    text.address(sender);
    text.text(words, ...codes);
  }
  if (call.guessedParams) text.params(call.guessedParams);
  text.text(call.value === '0' ? '' : call.value, call.revertMessage, call.errorInfo);
  return text.joined();
}

/** The raw bytes of a row, `0x` hex in lower case. */
export function rowData(row: FlowRow): readonly string[] {
  return row.nodeType === 0
    ? [row.invocation.callData, row.invocation.output]
    : [row.event.logData];
}
