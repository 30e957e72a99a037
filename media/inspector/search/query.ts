import * as l10n from '@vscode/l10n';
import { scaled } from '../../../server/presentation/decimal';
import { DECODE_SOURCES } from '../../../server/presentation/sources';
import { shownText } from '../../../server/presentation/text';

/** Filters whose value is text: part of a name, an address (full, `0x12…`, or shortened: `0x1234…cdef`), a selector. */
const TEXT_FIELDS = ['from', 'to', 'address', 'fn', 'event', 'reason'] as const;
const NUMBER_FIELDS = ['value', 'gas', 'depth'] as const;
const FLAGS = ['reverted', 'failed'] as const;

const TYPES = {
  call: 'CALL',
  staticcall: 'STATICCALL',
  static: 'STATICCALL',
  delegatecall: 'DELEGATECALL',
  delegate: 'DELEGATECALL',
  callcode: 'CALLCODE',
  create: 'CREATE',
  create2: 'CREATE2',
  selfdestruct: 'SELFDESTRUCT',
  event: 'EVENT',
} as const;
/** The decoding sources, and `guess` (a signature database, or arguments inferred from bytecode) and `unknown`. */
const SOURCES = [...DECODE_SOURCES, 'guess', 'unknown'] as const;

type Comparison = '>' | '>=' | '<' | '<=' | '=';
type Condition =
  | { field: 'text'; text: string }
  | { field: (typeof TEXT_FIELDS)[number]; text: string }
  /** `number` is scaled by 10^18, so that amounts of ether compare without rounding. */
  | { field: (typeof NUMBER_FIELDS)[number]; comparison: Comparison; number: bigint }
  | { field: 'type'; operation: (typeof TYPES)[keyof typeof TYPES] }
  | { field: 'source'; source: (typeof SOURCES)[number] }
  | { field: (typeof FLAGS)[number] };

/** One condition of a search; a row must meet all of them. */
export type Term = Condition & { negated: boolean };

/** The invalid term of a query, and what is accepted instead. */
export interface QueryProblem {
  term: string;
  message: string;
}
export type ParsedQuery =
  { ok: true; terms: readonly Term[] } | { ok: false; problem: QueryProblem };

const FIELDS = [...TEXT_FIELDS, 'type', 'source'].map((field) => `${field}:`);
const SYNTAX = [...FIELDS, ...NUMBER_FIELDS.map((field) => `${field}>1`), ...FLAGS].join(' ');

/** The accepted syntax of a query, in one line. */
export function acceptedText(): string {
  return l10n.t('{0}, "quoted text", -not', SYNTAX);
}

const TERM_LIMIT = 60;

/** Describes what is wrong with a query, in one line. */
export function problemText({ term, message }: QueryProblem): string {
  return `${shownText(term, TERM_LIMIT)}: ${message}`;
}

/** A minus, then a field with its operator, then a quoted or bare value; the closing quote may be missing. */
const TERM_PATTERN = /(-?)(?:([a-z]+)(>=|<=|[:<>=]))?(?:"([^"]*)"?|([^\s"]*))/giy;

class QueryError extends Error {}

function oneOf<T extends string>(accepted: readonly T[], value: string): T {
  const found = accepted.find((word) => word === value.toLowerCase());
  if (found === undefined) {
    throw new QueryError(l10n.t('takes one of {0}; not “{1}”', accepted.join(', '), value));
  }
  return found;
}

function isOneOf<T extends string>(words: readonly T[], word: string): word is T {
  return words.includes(word as T);
}

/** Converts to lower case and removes thousands separators, which the rows' values do not contain. */
function needle(text: string): string {
  const plain = /^-?\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(',', '') : text;
  return plain.toLowerCase();
}

function condition(field: string, operator: string, value: string): Condition {
  if (isOneOf(NUMBER_FIELDS, field)) {
    const number = scaled(value.replace(/[_,]/g, ''));
    if (number === undefined) {
      throw new QueryError(
        l10n.t('{0} takes a comparison with a number, such as {0}>1; not “{1}”', field, value),
      );
    }
    return { field, number, comparison: operator === ':' ? '=' : (operator as Comparison) };
  }
  if (operator !== ':') {
    const known = isOneOf([...TEXT_FIELDS, 'type', 'source'], field);
    throw new QueryError(
      known
        ? l10n.t('{0} takes a colon: {1}', field, `${field}:${value}`)
        : l10n.t('only {0} can be compared; put text into quotes', NUMBER_FIELDS.join(', ')),
    );
  }
  if (isOneOf(TEXT_FIELDS, field)) {
    if (value === '') throw new QueryError(l10n.t('takes a name or the start of 0x hex'));
    return { field, text: needle(value) };
  }
  if (field === 'type') {
    const type = oneOf(Object.keys(TYPES) as (keyof typeof TYPES)[], value);
    return { field, operation: TYPES[type] };
  }
  if (field === 'source') return { field, source: oneOf(SOURCES, value) };
  throw new QueryError(l10n.t('no such filter; there are {0}', acceptedText()));
}

/**
 * Parses a search: terms separated by blanks, all of which a row must meet. `fn:swap -type:staticcall value>0.5 "exact words"`.
 * Bare words are text, except `reverted` (by itself or by a caller) and `failed` (by itself).
 */
export function parseQuery(query: string): ParsedQuery {
  const terms: Term[] = [];
  const text = query.trim();
  for (let at = 0; at < text.length;) {
    if (/\s/.test(text[at] ?? '')) {
      at++;
      continue;
    }
    TERM_PATTERN.lastIndex = at;
    const match = TERM_PATTERN.exec(text);
    const [term = '', minus, field, operator, quoted, bare = ''] = match ?? [];
    at += Math.max(1, term.length);
    const value = quoted ?? bare;
    const negated = minus === '-';
    if (field === undefined && value === '') {
      if (!negated) continue;
      const message = l10n.t(
        'a minus directly precedes the excluded text, such as {0}',
        '-type:staticcall',
      );
      return { ok: false, problem: { term, message } };
    }
    if (quoted === undefined && /^[<>]?=?\d*$/.test(bare) && /[<>=]/.test(bare)) {
      const message = l10n.t('a comparison is written without blanks, such as {0}', 'value>1');
      return { ok: false, problem: { term, message } };
    }
    if (field === undefined || operator === undefined) {
      const flag = quoted === undefined && isOneOf(FLAGS, bare) ? bare : undefined;
      terms.push({ ...(flag ? { field: flag } : { field: 'text', text: needle(value) }), negated });
      continue;
    }
    try {
      terms.push({ ...condition(field.toLowerCase(), operator, value), negated });
    } catch (error) {
      if (!(error instanceof QueryError)) throw error;
      return { ok: false, problem: { term, message: error.message } };
    }
  }
  return { ok: true, terms };
}
