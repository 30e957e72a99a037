import type { EventFragment, ParamType } from 'ethers';
import type { DecodedLog, Param } from '../../api/decoding';
import type { Hash } from '../../api/primitives';
import type { Log } from '../call-frame';
import type { Candidate } from './signature-candidates';
import { decodeExactly, toParam, signatureOf } from '../abi-values/codec';
import { formatValue } from '../abi-values/format';

/** Decodes a log with the first candidate that fits its topics and data. */
export function decodeLog(
  log: Log,
  candidates: readonly Candidate<EventFragment>[],
): DecodedLog | null {
  for (const { fragment, source } of candidates) {
    const params = decodeParams(log, fragment);
    if (params) return { name: fragment.name, signature: signatureOf(fragment), params, source };
  }
  return null;
}

/** Parameters in the order of the declaration; undefined if the log does not have this shape. */
function decodeParams(log: Log, fragment: EventFragment): Param[] | undefined {
  const { indexed, unindexed } = layoutOf(fragment);
  if (indexed.length !== log.topics.length - 1) return undefined;
  const values = decodeExactly(unindexed, log.data);
  if (!values) return undefined;
  const params: Param[] = [];
  let [topic, word] = [0, 0];
  for (const input of fragment.inputs) {
    const param =
      input.indexed === true
        ? decodeTopic(input, indexed[topic++], log.topics[topic])
        : toParam(input, formatValue(input, values[word++] ?? ''));
    if (!param) return undefined;
    params.push(param);
  }
  return params;
}

interface Layout {
  /** Type of each topic after the first; undefined if the topic contains only the hash of the value. */
  readonly indexed: readonly (readonly [ParamType] | undefined)[];
  readonly unindexed: readonly ParamType[];
}

/** The same few events are emitted over and over. */
const layouts = new WeakMap<EventFragment, Layout>();

function layoutOf(fragment: EventFragment): Layout {
  const known = layouts.get(fragment);
  if (known) return known;
  const { inputs } = fragment;
  const layout = {
    indexed: inputs
      .filter(({ indexed }) => indexed === true)
      .map((input) => (isHashed(input) ? undefined : ([input] as const))),
    unindexed: inputs.filter(({ indexed }) => indexed !== true),
  };
  layouts.set(fragment, layout);
  return layout;
}

/** The value of an indexed dynamic type, array or tuple is the hash in the topic. */
function decodeTopic(
  input: ParamType,
  types: readonly [ParamType] | undefined,
  topic: Hash = '0x',
): Param | undefined {
  if (!types) return toParam(input, topic);
  const values = decodeExactly(types, topic);
  return values && toParam(input, formatValue(input, values[0] ?? ''));
}

const isHashed = (type: ParamType): boolean =>
  type.isArray() || type.isTuple() || type.type === 'string' || type.type === 'bytes';
