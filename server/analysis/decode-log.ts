import type { EventFragment, ParamType } from 'ethers';
import type { DecodedLog, Param } from '../api/decoding';
import type { Hash } from '../api/primitives';
import type { Log } from './call-frame';
import type { Candidate } from './candidates';
import { decodeExactly, toParam, toParams, signatureOf } from './codec';

/** Decodes a log by the first candidate that fits its topics and its data. */
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

/** Parameters in the order of the declaration; undefined where the log is not of this shape. */
function decodeParams(log: Log, { inputs }: EventFragment): Param[] | undefined {
  const indexed = inputs.filter((input) => input.indexed === true);
  if (indexed.length !== log.topics.length - 1) return undefined;
  const unindexed = inputs.filter((input) => input.indexed !== true);
  const values = decodeExactly(unindexed, log.data);
  if (!values) return undefined;

  const decoded = new Map(
    toParams(unindexed, values).map((param, index) => [unindexed[index], param]),
  );
  for (const [index, input] of indexed.entries()) {
    const param = decodeTopic(input, log.topics[index + 1] ?? '0x');
    if (!param) return undefined;
    decoded.set(input, param);
  }
  return inputs.flatMap((input) => decoded.get(input) ?? []);
}

/** Of a dynamic value, an array or a tuple the topic holds only the hash, which is then the parameter's value. */
function decodeTopic(type: ParamType, topic: Hash): Param | undefined {
  if (isHashed(type)) return toParam(type, topic);
  const values = decodeExactly([type], topic);
  return values && toParams([type], values)[0];
}

const isHashed = (type: ParamType): boolean =>
  type.isArray() || type.isTuple() || type.type === 'string' || type.type === 'bytes';
