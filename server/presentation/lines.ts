import * as l10n from '@vscode/l10n';
import type { DecodedMethod, Event, Invocation, Param } from '../api/explorer';
import { isGuess, type DecodeSource } from '../api/decoding';
import { isNativeTransfer } from '../api/native-transfer';
import { trailingText } from '../api/trailing-text';
import type { FlowRow } from './flow-row';
import { parameterName, quiet, type Names, type Segment } from './segment';
import { SOURCE_WORDS } from './sources';
import { fold, shortHex, shownText } from './text';
import { addressSegment, integerText, valueSegments } from './values';

const NAME_LIMIT = 60;
const REASON_LIMIT = 200;

function paramSegments(params: readonly Param[], names: Names): Segment[] {
  return params.flatMap(({ name, type, value, readings }, index) => [
    ...(index > 0 ? [quiet(', ')] : []),
    ...(name ? parameterName(shownText(name, NAME_LIMIT)) : []),
    ...valueSegments(type, value, names, readings),
  ]);
}

const contractSegment = (address: string, names: Names): Segment => ({
  ...addressSegment(address, names),
  isContract: true,
});

function rawSegments(data: string, names: Names): Segment[] {
  return data === '' || data === '0x' ? [] : valueSegments('bytes', data, names);
}

function creationSegments(call: Invocation, names: Names): Segment[] {
  const target = call.address
    ? contractSegment(call.address, names)
    : { kind: 'value' as const, text: 'contract' };
  const decoded = call.decodedMethod;
  return [
    { kind: 'method', text: 'new ' },
    target,
    quiet('('),
    ...(decoded?.callParams.length
      ? paramSegments(decoded.callParams, names)
      : rawSegments(decoded?.constructorArguments ?? '', names)),
    quiet(')'),
  ];
}

/** `Target.method(name: value, …) → value`: a call without its type, value and gas. */
export function callSegments(call: Invocation, names: Names): Segment[] {
  if (call.operation.startsWith('CREATE')) return creationSegments(call, names);
  if (call.operation === 'SELFDESTRUCT') {
    return [
      contractSegment(call.fromAddress, names),
      quiet('.'),
      { kind: 'method', text: 'selfdestruct' },
      quiet('('),
      ...parameterName('beneficiary'),
      addressSegment(call.address, names),
      quiet(')'),
    ];
  }
  const decoded = call.decodedMethod;
  const returns = decoded?.returnParams ?? [];
  const output: Segment[] =
    returns.length > 1
      ? [quiet('('), ...paramSegments(returns, names), quiet(')')]
      : returns.flatMap(({ type, value, readings }) => valueSegments(type, value, names, readings));
  const undecoded = decoded ? [] : rawSegments(call.output, names);
  const result = call.status ? [...output, ...undecoded] : [];
  const arrow = result.length > 0 ? [quiet(' → ')] : [];
  if (isNativeTransfer(call)) return [...transferSegments(call, names), ...arrow, ...result];
  if (call.message !== undefined) return [...messageSegments(call.message, call, names), ...result];
  return [
    contractSegment(call.address, names),
    quiet('.'),
    {
      kind: 'method',
      text: shownText(methodName(call), NAME_LIMIT),
      foreign: methodName(call),
      ...(decoded && { title: methodTitle(call.selector, decoded) }),
    },
    ...(decoded?.source && isGuess(decoded.source) ? [guessedName(decoded.source)] : []),
    quiet('('),
    ...argumentSegments(call, names),
    quiet(')'),
    ...(decoded?.trailing ?? []).map((part): Segment => ({
      ...quiet(
        ` + ${trailingText(part, (address) => names(address) ?? shortHex(address), shortHex)}`,
      ),
      plain: ` + ${trailingText(
        part,
        (address) => address,
        (data) => data,
      )}`,
      whole: ` + ${trailingText(
        part,
        (address) => address,
        (data) => fold(data, REASON_LIMIT),
      )}`,
      title: part.data.slice(0, REASON_LIMIT),
    })),
    ...arrow,
    ...result,
  ];
}

/** Marks the names of a call that rest on its selector alone, in copied text as well. */
const guessedName = (source: DecodeSource): Segment => ({
  ...quiet('?'),
  title: SOURCE_WORDS[source],
});
const guessedArguments = (): Segment => ({
  ...quiet(`${l10n.t('guess:')} `),
  plain: 'guess: ',
  title: l10n.t(
    'The method is not known: these are its arguments by the types that the bytecode shows',
  ),
});

function argumentSegments(call: Invocation, names: Names): Segment[] {
  const { decodedMethod, guessedParams, callData } = call;
  if (decodedMethod) return paramSegments(decodedMethod.callParams, names);
  if (guessedParams?.length === 0) return [];
  if (guessedParams) return [guessedArguments(), ...paramSegments(guessedParams, names)];
  return rawSegments(callData, names);
}

function methodTitle(selector: string, { signature, source }: DecodedMethod): string {
  const facts = [shownText(signature, REASON_LIMIT), selector];
  return [...facts, ...(source ? [l10n.t('by {0}', SOURCE_WORDS[source])] : [])].join('\n');
}

function transferSegments({ address }: Invocation, names: Names): Segment[] {
  const [before = '', after = ''] = l10n.t('native transfer to {0}').split('{0}');
  const word = (text: string): Segment[] => (text === '' ? [] : [{ kind: 'method', text }]);
  return [...word(before), addressSegment(address, names), ...word(after)];
}

function messageSegments(message: string, { address }: Invocation, names: Names): Segment[] {
  return [
    { kind: 'method', text: `${l10n.t('message to')} ` },
    addressSegment(address, names),
    quiet(': '),
    ...valueSegments('string', message, names),
  ];
}

/** A short description of a call: a native transfer, or the method's name. */
export function callName(call: Invocation): string {
  if (isNativeTransfer(call)) return l10n.t('native transfer');
  return call.message === undefined ? methodName(call) : l10n.t('message');
}

/** The decoded name, otherwise the selector, otherwise `fallback` or `constructor`. */
export function methodName(call: Invocation): string {
  if (call.decodedMethod?.name) return call.decodedMethod.name;
  if (call.selector !== '') return call.selector;
  return call.operation.startsWith('CREATE') ? 'constructor' : 'fallback';
}

/** `Contract.Name(name: value, …)` */
export function eventSegments(event: Event, names: Names): Segment[] {
  const { name, signature, params } = event.decodedLog;
  const [topic] = event.topics;
  return [
    contractSegment(event.contract, names),
    quiet('.'),
    event.logDecoded
      ? {
          kind: 'event',
          text: shownText(name, NAME_LIMIT),
          foreign: name,
          title: shownText(signature, REASON_LIMIT),
        }
      : {
          kind: 'event',
          text: topic === undefined ? 'anonymous' : shortHex(topic),
          plain: topic ?? 'anonymous',
          ...(topic !== undefined && { title: topic, whole: topic }),
        },
    quiet('('),
    ...(event.logDecoded ? paramSegments(params, names) : rawSegments(event.logData, names)),
    quiet(')'),
  ];
}

/** A revert reason with names in place of its addresses, and grouped numbers in a custom error such as `Name(arg: 1000)`. A folded one ends in `…`. */
export function reasonSegments(reason: string, names: Names): Segment[] {
  const isCustomError = /^\w+\(.*[)…]$/s.test(reason);
  return reason.split(/(0x[0-9a-fA-F]{40})(?![0-9a-fA-F])/).map((piece, index): Segment => {
    const foreign = index === 0 ? reason : '';
    if (index % 2 === 1) return { ...addressSegment(piece.toLowerCase(), names), foreign };
    return {
      kind: 'error',
      text: isCustomError ? piece.replace(/(?<![\w.])\d{4,}(?![\w.])/g, integerText) : piece,
      plain: piece,
      foreign,
    };
  });
}

/** Why a frame failed, in one line; empty if it succeeded. */
export function failureReason(call: Invocation): string {
  if (call.status) return '';
  return shownText(call.revertMessage || call.errorInfo || l10n.t('no reason given'), REASON_LIMIT);
}

export function rowSegments(row: FlowRow, names: Names): Segment[] {
  return row.nodeType === 0 ? callSegments(row.invocation, names) : eventSegments(row.event, names);
}

/** The line without its arguments and results: `Target.method(…)`. */
export function withoutArguments(segments: readonly Segment[]): Segment[] {
  const open = segments.findIndex(({ kind, text }) => kind === 'quiet' && text.startsWith('('));
  const next = segments[open + 1];
  if (open < 0) return [...segments];
  if (next?.text.startsWith(')')) return segments.slice(0, open + 2);
  return [...segments.slice(0, open), quiet('(…)')];
}

/** The row with plain numbers in place of amounts and times. */
export function rowWithoutUnits(row: FlowRow): FlowRow {
  if (row.nodeType === 1) return { ...row, event: eventWithoutUnits(row.event) };
  const { decodedMethod } = row.invocation;
  if (!decodedMethod) return row;
  const method = {
    ...decodedMethod,
    callParams: withoutReadings(decodedMethod.callParams),
    returnParams: withoutReadings(decodedMethod.returnParams),
  };
  return { ...row, invocation: { ...row.invocation, decodedMethod: method } };
}

/** The event with plain numbers in place of amounts and times. */
export function eventWithoutUnits(event: Event): Event {
  const { decodedLog } = event;
  const params = withoutReadings(decodedLog.params);
  return { ...event, decodedLog: { ...decodedLog, params } };
}

const withoutReadings = (params: readonly Param[]): Param[] =>
  params.map((param) => ({ ...param, readings: undefined }));

/** The undecoded row: selector, topics and data. */
export function rawRow(row: FlowRow): FlowRow {
  if (row.nodeType === 1) return { ...row, event: { ...row.event, logDecoded: false } };
  const raw = { decodedMethod: null, methodDecoded: false };
  const hidden = { guessedParams: undefined, message: undefined };
  return { ...row, invocation: { ...row.invocation, ...raw, ...hidden } };
}
