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
  /** Text after a row, by the id of its node; empty for none. */
  noteOf?: (id: number) => string;
}

const SHOWN_VALUE_CHARACTERS = 66;
const SHOWN_REASON_CHARACTERS = 500;

/** The invocation flow as an indented tree, one row per call or event. */
export function renderCallTree(flow: Flow, options: RenderOptions): string {
  const { colors, maxRows = Number.POSITIVE_INFINITY, noteOf } = options;
  const name = namesOf(flow);
  const rows: string[] = [];
  const total = Object.keys(flow.dataMap).length - 1;
  const pending = withPrefixes(flow.trace[0]?.children ?? [], '', '');
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (rows.length >= maxRows) {
      rows.push(colors.dim(`… and ${total - rows.length} more calls and events`));
      break;
    }
    const note = noteOf?.(next.node.id) ?? '';
    const text = renderNode(flow, next.node, name, colors);
    rows.push(colors.dim(next.prefix) + text + (note === '' ? '' : colors.dim(`  ${note}`)));
    for (const child of withPrefixes(next.node.children, next.below, next.below)) {
      pending.push(child);
    }
  }
  return rows.join('\n');
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

/** Returns the label of an address, or `0x1234…cdef` if there is none. */
export function namesOf(flow: Pick<InvocationFlow, 'labels'>): NameOf {
  return (address) =>
    flow.labels[address] ?? (address === '' ? '?' : `${address.slice(0, 6)}…${address.slice(-4)}`);
}

function renderNode(flow: Flow, node: TraceNode, name: NameOf, colors: Colors): string {
  const entry = flow.dataMap[node.id];
  if (entry === undefined) return '';
  return 'event' in entry
    ? renderEvent(entry.event, name, colors)
    : renderInvocation(entry.invocation, flow.transaction.nativeSymbol, name, colors);
}

function renderInvocation(
  call: Invocation,
  nativeSymbol: string,
  name: NameOf,
  colors: Colors,
): string {
  const type = call.status ? colors.cyan(call.operation) : colors.red(`✗ ${call.operation}`);
  const value =
    call.value === '0'
      ? ''
      : colors.yellow(
          ` {${groupedDecimal(call.value)} ${cut(nativeSymbol, SHOWN_VALUE_CHARACTERS)}}`,
        );
  const gas = colors.dim(` [${grouped(call.gasUsed)} gas]`);
  return `${type} ${renderTarget(call, name, colors)}${value}${renderOutcome(call, name, colors)}${gas}`;
}

function renderTarget(call: Invocation, name: NameOf, colors: Colors): string {
  const target = colors.bold(name(call.address));
  if (call.operation === 'SELFDESTRUCT')
    return `${colors.bold(name(call.fromAddress))} → ${target}`;
  if (call.operation.startsWith('CREATE')) {
    return `${target}${call.decodedMethod === null ? '' : `(${renderParams(call.decodedMethod.callParams, name)})`}`;
  }
  if (call.decodedMethod !== null) {
    const { name: method, source, callParams, trailing = [] } = call.decodedMethod;
    const rest = trailing.map((part) => ` + ${trailingText(part, name, shorten)}`).join('');
    // The names rest on the selector alone.
    const guess = isGuess(source) ? '?' : '';
    return `${target}.${visibleText(method)}${guess}(${renderParams(callParams, name)})${rest}`;
  }
  if (call.message !== undefined) {
    return `message to ${target}: ${JSON.stringify(cut(call.message, SHOWN_REASON_CHARACTERS))}`;
  }
  if (call.guessedParams) {
    return `${target}.${call.selector}(guess: ${renderParams(call.guessedParams, name)})`;
  }
  if (isNativeTransfer(call)) return `native transfer to ${target}`;
  return `${target}.${call.selector}(${call.callData === '0x' ? '' : shorten(call.callData)})`;
}

function renderOutcome(call: Invocation, name: NameOf, colors: Colors): string {
  if (!call.status)
    return colors.red(` ✗ ${cut(call.revertMessage || call.errorInfo, SHOWN_REASON_CHARACTERS)}`);
  const undone = call.revert ? colors.red(' (rolled back)') : '';
  const returned = call.decodedMethod?.returnParams ?? [];
  if (returned.length === 0) return undone;
  return ` → ${renderParams(returned, name)}${undone}`;
}

function renderEvent(event: Event, name: NameOf, colors: Colors): string {
  const contract = name(event.contract);
  const text = event.logDecoded
    ? `${event.decodedLog.name}(${renderParams(event.decodedLog.params, name)})`
    : `${shorten(event.topics[0] ?? 'anonymous')} ${shorten(event.logData)}`;
  return `${colors.magenta('◆')} ${contract} ${colors.magenta(text)}${event.revert ? colors.red(' (rolled back)') : ''}`;
}

function renderParams(params: readonly Param[], name: NameOf): string {
  return params
    .map((param) => `${param.name === '' ? '' : `${param.name}: `}${renderValue(param, name)}`)
    .join(', ');
}

function renderValue(param: Param, name: NameOf): string {
  const { type, value } = param;
  if (type === 'address') return name(value);
  return type === 'string'
    ? JSON.stringify(shorten(value))
    : shorten(valueText(param, readingText(name)));
}

/** `2,000 hUSD`, `2026-01-31 12:00:00 UTC` */
const readingText =
  (name: NameOf): ReadingText =>
  ({ amount, symbol, asset = '', time = '' }) => {
    if (amount === undefined) return time.replace('T', ' ').replace('Z', ' UTC');
    return `${groupedDecimal(amount)} ${symbol ?? name(asset)}`;
  };

const shorten = (text: string): string => cut(text, SHOWN_VALUE_CHARACTERS);

/** The text is untrusted: it must neither fill nor control the terminal. */
function cut(text: string, limit: number): string {
  return visibleText(text.length <= limit ? text : `${text.slice(0, limit - 8)}…${text.slice(-6)}`);
}
