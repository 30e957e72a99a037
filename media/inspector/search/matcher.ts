import { isGuess } from '../../../server/api/decoding';
import type { Invocation } from '../../../server/api/explorer';
import { scaled } from '../../../server/presentation/decimal';
import { callName, methodName } from '../../../server/presentation/lines';
import type { Names } from '../../../server/presentation/segment';
import type { FlowRow } from '../protocol/protocol';
import type { Term } from './query';
import { rowData } from './row-text';

/** Whether a row matches a search. @param text returns the row's text, see `rowText` */
export type Matcher = (row: FlowRow, text: () => string) => boolean;

const ADDRESS = /0x[0-9a-f]{40}(?![0-9a-f])/g;

/** Hex with fewer digits would match raw data almost everywhere. */
const RAW_DIGITS = 8;

type Test = (row: FlowRow, text: () => string) => boolean;

/** Start and end of shortened hex, `0x1234…cdef`. */
function shortForm(wanted: string): { start: string; end: string } | undefined {
  const [, start, end] = /^(0x[0-9a-f]*)…([0-9a-f]+)$/.exec(wanted) ?? [];
  return start === undefined || end === undefined ? undefined : { start, end };
}

function addressTest(wanted: string, names: Names): (address: string) => boolean {
  const short = shortForm(wanted);
  if (short) return (address) => address.startsWith(short.start) && address.endsWith(short.end);
  if (wanted.startsWith('0x')) return (address) => address.startsWith(wanted);
  // Each name is normalized and compared once, not once per row.
  const known = new Map<string, boolean>();
  return (address) => {
    let matches = known.get(address);
    if (matches === undefined) {
      matches = names(address)?.toLowerCase().includes(wanted) ?? false;
      known.set(address, matches);
    }
    return matches;
  };
}

/** Tests all addresses of the row: caller and callee, and those among the arguments. */
function anyAddressTest(wanted: string, names: Names): Test {
  if (wanted.startsWith('0x')) return textTest(wanted);
  const test = addressTest(wanted, names);
  return (_row, text) => {
    // The text contains every shown name. The expensive test of each address runs only on rows that can match.
    if (!text().includes(wanted)) return false;
    return [...text().matchAll(ADDRESS)].some(([address]) => test(address));
  };
}

function textTest(wanted: string): Test {
  const short = shortForm(wanted);
  if (short) {
    const pattern = new RegExp(`${short.start}[0-9a-f]*${short.end}(?![0-9a-f])`);
    return (_row, text) => pattern.test(text());
  }
  const digits = wanted.replace(/^0x/, '');
  const raw = digits.length >= RAW_DIGITS && /^[0-9a-f]+$/.test(digits);
  return (row, text) =>
    text().includes(wanted) || (raw && rowData(row).some((data) => data.includes(digits)));
}

function sourceTest(source: Extract<Term, { field: 'source' }>['source']): Test {
  return (row) => {
    const decoded =
      row.nodeType === 0
        ? (row.invocation.decodedMethod ?? undefined)
        : row.event.logDecoded
          ? row.event.decodedLog
          : undefined;
    const guessed = row.nodeType === 0 && row.invocation.guessedParams !== undefined;
    if (source === 'guess') return isGuess(decoded?.source) || guessed;
    if (source === 'unknown') return decoded === undefined && !guessed;
    return decoded?.source === source;
  };
}

const call = (row: FlowRow): Invocation | undefined =>
  row.nodeType === 0 ? row.invocation : undefined;

function numberOf(
  row: FlowRow,
  field: Extract<Term, { number: bigint }>['field'],
): bigint | undefined {
  if (field === 'depth') return scaled(String(row.depth));
  const invocation = call(row);
  if (!invocation) return undefined;
  if (field === 'gas') return scaled(String(invocation.gasUsed));
  return invocation.value === '0' ? 0n : scaled(invocation.value);
}

const COMPARISONS = {
  '>': (a: bigint, b: bigint) => a > b,
  '>=': (a: bigint, b: bigint) => a >= b,
  '<': (a: bigint, b: bigint) => a < b,
  '<=': (a: bigint, b: bigint) => a <= b,
  '=': (a: bigint, b: bigint) => a === b,
} as const;

/** The test of a term without its negation. The `from` of an event is its contract. */
function testOf(term: Term, names: Names): Test {
  switch (term.field) {
    case 'text':
      return textTest(term.text);
    case 'from': {
      const test = addressTest(term.text, names);
      return (row) => test(row.nodeType === 0 ? row.invocation.fromAddress : row.event.contract);
    }
    case 'to': {
      const test = addressTest(term.text, names);
      return (row) => row.nodeType === 0 && test(row.invocation.address);
    }
    case 'address':
      return anyAddressTest(term.text, names);
    case 'fn':
      return (row) => {
        const invocation = call(row);
        if (!invocation) return false;
        if (term.text.startsWith('0x')) return invocation.selector.startsWith(term.text);
        return (
          methodName(invocation).toLowerCase().includes(term.text) ||
          callName(invocation).toLowerCase().includes(term.text)
        );
      };
    case 'event':
      return (row) => {
        if (row.nodeType === 0) return false;
        const { decodedLog, topics } = row.event;
        return term.text.startsWith('0x')
          ? (topics[0] ?? '').startsWith(term.text)
          : decodedLog.name.toLowerCase().includes(term.text);
      };
    case 'reason':
      return (row) => {
        const invocation = call(row);
        if (!invocation || invocation.status) return false;
        const { revertMessage, errorInfo } = invocation;
        return `${revertMessage}\n${errorInfo}`.toLowerCase().includes(term.text);
      };
    case 'value':
    case 'gas':
    case 'depth': {
      const holds = COMPARISONS[term.comparison];
      return (row) => {
        const number = numberOf(row, term.field);
        return number !== undefined && holds(number, term.number);
      };
    }
    case 'type':
      return (row) =>
        (row.nodeType === 0 ? row.invocation.operation : row.event.operation) === term.operation;
    case 'source':
      return sourceTest(term.source);
    case 'reverted':
      return (row) => (row.nodeType === 0 ? row.invocation.revert : row.event.revert);
    case 'failed':
      return (row) => call(row)?.status === false;
  }
}

/** A row matches if it meets all terms; without terms, no row matches. */
export function matcherOf(terms: readonly Term[], names: Names): Matcher {
  // Text terms are the most expensive to test, so they come last.
  const isExpensive = (term: Term): boolean => term.field === 'text' || term.field === 'address';
  const tests = [...terms]
    .sort((a, b) => Number(isExpensive(a)) - Number(isExpensive(b)))
    .map((term) => ({ test: testOf(term, names), wanted: !term.negated }));
  return (row, text) =>
    tests.length > 0 && tests.every(({ test, wanted }) => test(row, text) === wanted);
}
