import { stripVTControlCharacters } from 'node:util';
import type { Colors } from 'picocolors/types';
import type { Invocation, InvocationFlow, TraceNode } from '../api/explorer';
import { reasonSegments, rowSegments } from '../presentation/lines';
import { namesOf, type Names, type Segment } from '../presentation/segment';
import { grouped, shownText } from '../presentation/text';
import { writtenText, type Writing } from '../presentation/written-text';
import { cutRow } from './fit-row';

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
  /** For a model: addresses are whole, and texts of strangers are JSON strings. */
  isForModel?: boolean;
  /** Receives each address that a name stands for. */
  onName?: Writing['onName'];
}

/** Characters of a value. In a narrow terminal, the first number with which the row fits counts, or the last one. */
const SHOWN_VALUE_CHARACTERS = [66, 30, 18, 12] as const;
const [WIDEST] = SHOWN_VALUE_CHARACTERS;
/** Characters of a list for a model, so that whole addresses have room. */
const MODEL_LIST_CHARACTERS = 600;
const SHOWN_REASON_CHARACTERS = 500;
const SYMBOL_CHARACTERS = 24;

/** How texts are written for a person at a terminal, or for a model. */
export const writingFor = (isForModel: boolean, shown: number = WIDEST): Writing => ({
  shown,
  shownList: isForModel ? MODEL_LIST_CHARACTERS : shown,
  isForModel,
});

/** How a row is written. */
interface Row {
  names: Names;
  nativeSymbol: string;
  colors: Colors;
  writing: Writing;
}

/** The invocation flow as an indented tree, one row per call or event. */
export const renderCallTree = (flow: Flow, options: RenderOptions): string =>
  Array.from(callTreeRows(flow, options)).join('\n');

/** The rows of the indented tree. Each is made when it is read. */
export function* callTreeRows(flow: Flow, options: RenderOptions): Generator<string> {
  const { colors, maxRows = Number.POSITIVE_INFINITY, numbered, width, noteOf } = options;
  const { isForModel = false, onName } = options;
  const names = namesOf(flow.labels);
  const { nativeSymbol } = flow.transaction;
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
    const row = (shown: number): string => {
      const plain = { ...writingFor(isForModel, shown), ...(onName && { onName }) };
      const writing = colored(plain, colors);
      return `${before}${renderNode(flow, node, { names, nativeSymbol, colors, writing })}${after}`;
    };
    yield fitting(width, row);
    rows++;
    for (const child of withPrefixes(node.children, next.below, next.below)) pending.push(child);
  }
}

const colored = (writing: Writing, colors: Colors): Writing => ({
  ...writing,
  paint: ({ kind, isContract }: Segment, text: string): string => {
    if (isContract) return colors.bold(text);
    return kind === 'event' ? colors.magenta(text) : text;
  },
});

/** @returns the row with the longest values with which it fits; cut at its end if it never does */
function fitting(width: number | undefined, row: (shown: number) => string): string {
  let text = '';
  for (const shown of SHOWN_VALUE_CHARACTERS) {
    text = row(shown);
    if (width === undefined || stripVTControlCharacters(text).length <= width) return text;
  }
  return width === undefined ? text : cutRow(text, width);
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

function renderNode(flow: Flow, node: TraceNode, row: Row): string {
  const entry = flow.dataMap[node.id];
  if (entry === undefined) return '';
  const { colors, names, writing } = row;
  const line = writtenText(rowSegments({ ...entry, depth: node.depth }, names), writing);
  if ('event' in entry) {
    const undone = entry.event.revert ? colors.red(' (rolled back)') : '';
    return `${colors.magenta('◆')} ${line}${undone}`;
  }
  return renderInvocation(entry.invocation, line, row);
}

function renderInvocation(call: Invocation, line: string, row: Row): string {
  const { colors, nativeSymbol } = row;
  const type = call.status ? colors.cyan(call.operation) : colors.red(`✗ ${call.operation}`);
  const sent =
    call.value === '' || call.value === '0'
      ? ''
      : colors.yellow(` {${grouped(call.value)} ${shownText(nativeSymbol, SYMBOL_CHARACTERS)}}`);
  return `${type} ${line}${sent}${renderOutcome(call, row)}${colors.dim(` [${grouped(String(call.gasUsed))} gas]`)}`;
}

/** The reason of a failure, which a stranger chose. */
function renderOutcome(call: Invocation, { colors, names, writing }: Row): string {
  if (call.status) return call.revert ? colors.red(' (rolled back)') : '';
  const reason = shownText(call.revertMessage || call.errorInfo, SHOWN_REASON_CHARACTERS);
  return colors.red(` ✗ ${writtenText(reasonSegments(reason, names), writing)}`);
}
