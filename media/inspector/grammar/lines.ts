import type { Event, Invocation, Param } from '../../../server/api/explorer';
import type { FlowRow } from '../protocol';
import { quiet, type Names, type Segment } from './segment';
import { grouped, shortHex, shownText } from './text';
import { addressSegment, valueSegments } from './values';

const NAME_LIMIT = 60;
const REASON_LIMIT = 200;

function paramSegments(params: readonly Param[], names: Names): Segment[] {
  return params.flatMap(({ name, type, value }, index) => [
    ...(index > 0 ? [quiet(', ')] : []),
    ...(name ? [quiet(`${shownText(name, NAME_LIMIT)}: `)] : []),
    ...valueSegments(type, value, names),
  ]);
}

function rawSegments(data: string, names: Names): Segment[] {
  return data === '' || data === '0x' ? [] : valueSegments('bytes', data, names);
}

function creationSegments(call: Invocation, names: Names): Segment[] {
  const target = call.address
    ? addressSegment(call.address, names)
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

/** `Target.method(name: value, …) → value`: what a call says, without its type, value and gas. */
export function callSegments(call: Invocation, names: Names): Segment[] {
  if (call.operation.startsWith('CREATE')) return creationSegments(call, names);
  if (call.operation === 'SELFDESTRUCT') {
    return [
      addressSegment(call.fromAddress, names),
      quiet('.'),
      { kind: 'method', text: 'selfdestruct' },
      quiet('(beneficiary: '),
      addressSegment(call.address, names),
      quiet(')'),
    ];
  }
  const decoded = call.decodedMethod;
  const returns = decoded?.returnParams ?? [];
  const output: Segment[] =
    returns.length > 1
      ? [quiet('('), ...paramSegments(returns, names), quiet(')')]
      : returns.flatMap(({ type, value }) => valueSegments(type, value, names));
  const undecoded = call.methodDecoded ? [] : rawSegments(call.output, names);
  const result = call.status ? [...output, ...undecoded] : [];
  return [
    addressSegment(call.address, names),
    quiet('.'),
    {
      kind: 'method',
      text: shownText(methodName(call), NAME_LIMIT),
      ...(decoded && { title: `${shownText(decoded.signature, REASON_LIMIT)}\n${call.selector}` }),
    },
    quiet('('),
    ...(decoded ? paramSegments(decoded.callParams, names) : rawSegments(call.callData, names)),
    quiet(')'),
    ...(result.length > 0 ? [quiet(' → '), ...result] : []),
  ];
}

/** The decoded name, else the selector, else `fallback` or `constructor`. */
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
    addressSegment(event.contract, names),
    quiet('.'),
    event.logDecoded
      ? {
          kind: 'method',
          text: shownText(name, NAME_LIMIT),
          title: shownText(signature, REASON_LIMIT),
        }
      : {
          kind: 'method',
          text: topic === undefined ? 'anonymous' : shortHex(topic),
          plain: topic ?? 'anonymous',
          ...(topic !== undefined && { title: topic }),
        },
    quiet('('),
    ...(event.logDecoded ? paramSegments(params, names) : rawSegments(event.logData, names)),
    quiet(')'),
  ];
}

/** A revert reason with names over its addresses; the numbers of a custom error, `Name(arg: 1000)`, grouped. */
export function reasonSegments(reason: string, names: Names): Segment[] {
  const isCustomError = /^\w+\(.*\)$/s.test(reason);
  return reason.split(/(0x[0-9a-fA-F]{40})(?![0-9a-fA-F])/).map((piece, index) => {
    if (index % 2 === 1) return addressSegment(piece.toLowerCase(), names);
    return {
      kind: 'error',
      text: isCustomError
        ? piece.replace(/(?<![\w.])\d{4,}(?![\w.])/g, (digits) => grouped(digits))
        : piece,
      plain: piece,
    };
  });
}

/** Why a frame failed, in one line; empty where it did not. */
export function failureReason(call: Invocation): string {
  if (call.status) return '';
  return shownText(call.revertMessage || call.errorInfo || 'no reason given', REASON_LIMIT);
}

export function rowSegments(row: FlowRow, names: Names): Segment[] {
  return row.nodeType === 0 ? callSegments(row.invocation, names) : eventSegments(row.event, names);
}
