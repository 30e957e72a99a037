import { stripVTControlCharacters } from 'node:util';
import type { Colors } from 'picocolors/types';
import type { Event, Invocation, InvocationFlow, Param, TraceNode } from '../api/explorer';
import { isGuess } from '../api/decoding';
import { isNativeTransfer } from '../api/native-transfer';
import { visibleText } from '../api/visible-text';
import { grouped, groupedDecimal } from '../client/format';
import { trailingText } from '../api/trailing-text';
import { valueText, type ReadingText } from '../client/value-text';

/** The invocation flow of a transaction or of a simulation, which has no receipt to compare with. */
export type Flow = Omit<InvocationFlow, 'verification'>;

/** Limits of a rendering: a tree of 2,000 frames is not readable in a terminal. */
export interface RenderOptions {
  colors: Colors;
  /** Maximum number of rows. The last row states the number of omitted ones. */
  maxRows?: number;
  /** Nodes whose rows begin with their number, because other texts refer to it. */
  numbered?: ReadonlySet<number>;
  /** Columns of the terminal: the values of longer rows are cut, as far as that helps. */
  width?: number | undefined;
  /** Text after a row, by the id of its node; empty for none. */
  noteOf?: (id: number) => string;
}

/** Characters of a value. In a narrow terminal, the first number with which the row fits counts, or the last one. */
const SHOWN_VALUE_CHARACTERS = [66, 30, 18] as const;
const SHOWN_REASON_CHARACTERS = 500;

/** The invocation flow as an indented tree, one row per call or event. */
export const renderCallTree = (flow: Flow, options: RenderOptions): string =>
  Array.from(callTreeRows(flow, options)).join('\n');

/** The rows of the indented tree. Each is made when it is read. */
export function* callTreeRows(flow: Flow, options: RenderOptions): Generator<string> {
  const { colors, maxRows = Number.POSITIVE_INFINITY, numbered, width, noteOf } = options;
  const name = namesOf(flow);
  let rows = 0;
  const total = Object.keys(flow.dataMap).length - 1;
  const pending = withPrefixes(flow.trace[0]?.children ?? [], '', '');
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (rows >= maxRows) {
      yield colors.dim(`… and ${total - rows} more calls and events`);
      return;
    }
    const { id } = next.node;
    const note = noteOf?.(id) ?? '';
    const number = numbered?.has(id) ? `#${id} ` : '';
    const { node, prefix } = next;
    const [before, after] = [prefix + number, note === '' ? '' : `  ${note}`].map(colors.dim);
    const row = (shown: number): string =>
      `${before}${renderNode(flow, node, { name, colors, shown })}${after}`;
    yield fitting(width, row);
    rows++;
    for (const child of withPrefixes(node.children, next.below, next.below)) pending.push(child);
  }
}

/** @returns the row with the longest values with which it fits; with the shortest ones if it never does */
function fitting(width: number | undefined, row: (shown: number) => string): string {
  let text = '';
  for (const shown of SHOWN_VALUE_CHARACTERS) {
    text = row(shown);
    if (width === undefined || stripVTControlCharacters(text).length <= width) break;
  }
  return text;
}

interface PrefixedNode {
  node: TraceNode;
  prefix: string;
  below: string;
}

/** Reversed, so that the first child is on top of the stack. */
function withPrefixes(nodes: readonly TraceNode[], prefix: string, below: string): PrefixedNode[] {
  const isTop = nodes[0]?.depth === 0;
  return nodes
    .map((node, index) => {
      if (isTop) return { node, prefix: '', below: '' };
      const isLast = index === nodes.length - 1;
      return {
        node,
        prefix: prefix + (isLast ? '└─ ' : '├─ '),
        below: below + (isLast ? '   ' : '│  '),
      };
    })
    .reverse();
}

type NameOf = (address: string) => string;

/** How a row is written. */
interface Writing {
  name: NameOf;
  colors: Colors;
  /** Characters of a value at the most. */
  shown: number;
}

/** Returns the label of an address, or `0x1234…cdef` if there is none. */
export function namesOf(flow: Pick<InvocationFlow, 'labels'>): NameOf {
  return (address) =>
    flow.labels[address] ?? (address === '' ? '?' : `${address.slice(0, 6)}…${address.slice(-4)}`);
}

function renderNode(flow: Flow, node: TraceNode, writing: Writing): string {
  const entry = flow.dataMap[node.id];
  if (entry === undefined) return '';
  return 'event' in entry
    ? renderEvent(entry.event, writing)
    : renderInvocation(entry.invocation, flow.transaction.nativeSymbol, writing);
}

function renderInvocation(call: Invocation, nativeSymbol: string, writing: Writing): string {
  const { colors, shown } = writing;
  const type = call.status ? colors.cyan(call.operation) : colors.red(`✗ ${call.operation}`);
  const value =
    call.value === '0'
      ? ''
      : colors.yellow(` {${groupedDecimal(call.value)} ${cut(nativeSymbol, shown)}}`);
  const gas = colors.dim(` [${grouped(call.gasUsed)} gas]`);
  return `${type} ${renderTarget(call, writing)}${value}${renderOutcome(call, writing)}${gas}`;
}

function renderTarget(call: Invocation, writing: Writing): string {
  const { name, colors, shown } = writing;
  const target = colors.bold(name(call.address));
  if (call.operation === 'SELFDESTRUCT')
    return `${colors.bold(name(call.fromAddress))} → ${target}`;
  if (call.operation.startsWith('CREATE')) {
    return `${target}${call.decodedMethod === null ? '' : `(${renderParams(call.decodedMethod.callParams, writing)})`}`;
  }
  if (call.decodedMethod !== null) {
    const { name: method, source, callParams, trailing = [] } = call.decodedMethod;
    const rest = trailing
      .map((part) => ` + ${trailingText(part, name, (text) => cut(text, shown))}`)
      .join('');
    // The names rest on the selector alone.
    const guess = isGuess(source) ? '?' : '';
    return `${target}.${visibleText(method)}${guess}(${renderParams(callParams, writing)})${rest}`;
  }
  if (call.message !== undefined) {
    return `message to ${target}: ${JSON.stringify(cut(call.message, SHOWN_REASON_CHARACTERS))}`;
  }
  if (call.guessedParams) {
    return `${target}.${call.selector}(guess: ${renderParams(call.guessedParams, writing)})`;
  }
  if (isNativeTransfer(call)) return `native transfer to ${target}`;
  return `${target}.${call.selector}(${call.callData === '0x' ? '' : cut(call.callData, shown)})`;
}

function renderOutcome(call: Invocation, writing: Writing): string {
  const { colors } = writing;
  if (!call.status)
    return colors.red(` ✗ ${cut(call.revertMessage || call.errorInfo, SHOWN_REASON_CHARACTERS)}`);
  const undone = call.revert ? colors.red(' (rolled back)') : '';
  const returned = call.decodedMethod?.returnParams ?? [];
  if (returned.length === 0) return undone;
  return ` → ${renderParams(returned, writing)}${undone}`;
}

function renderEvent(event: Event, writing: Writing): string {
  const { name, colors, shown } = writing;
  const contract = name(event.contract);
  const text = event.logDecoded
    ? `${event.decodedLog.name}(${renderParams(event.decodedLog.params, writing)})`
    : `${cut(event.topics[0] ?? 'anonymous', shown)} ${cut(event.logData, shown)}`;
  return `${colors.magenta('◆')} ${contract} ${colors.magenta(text)}${event.revert ? colors.red(' (rolled back)') : ''}`;
}

function renderParams(params: readonly Param[], writing: Writing): string {
  return params
    .map((param) => `${param.name === '' ? '' : `${param.name}: `}${renderValue(param, writing)}`)
    .join(', ');
}

function renderValue(param: Param, { name, shown }: Writing): string {
  const { type, value } = param;
  if (type === 'address') return name(value);
  return type === 'string'
    ? JSON.stringify(cut(value, shown))
    : cut(valueText(param, readingText(name)), shown);
}

/** `2,000 hUSD`, `2026-01-31 12:00:00 UTC` */
const readingText =
  (name: NameOf): ReadingText =>
  ({ amount, symbol, asset = '', time = '' }) => {
    if (amount === undefined) return time.replace('T', ' ').replace('Z', ' UTC');
    return `${groupedDecimal(amount)} ${symbol ?? name(asset)}`;
  };

/** The text is untrusted: it must neither fill nor control the terminal. */
function cut(text: string, limit: number): string {
  return visibleText(text.length <= limit ? text : `${text.slice(0, limit - 8)}…${text.slice(-6)}`);
}
