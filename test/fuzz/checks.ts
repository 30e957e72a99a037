import { API_ERRORS } from '../../server/api/errors';
import type { PauseLimit } from '../support/stalls';

/** Thrown if a property of the product does not hold. */
class Violation extends Error {
  override readonly name = 'Violation';
}

/** Thrown if the service worked too long without processing a request: compiling code and collecting garbage can do so once. */
export class Stalled extends Error {
  override readonly name = 'Stalled';
  constructor(count: number, accepted: PauseLimit) {
    super(`the event loop had ${count} pauses of more than ${accepted} s of processor time`);
  }
}

/** @throws Violation */
export function must(holds: boolean, what: string): asserts holds {
  if (!holds) throw new Violation(what);
}

const LEAKS: readonly [what: string, RegExp][] = [
  ['a stack trace', /\n\s+at |\bat [\w.<>]+ \((?:file:|\/|node:)/],
  [
    'a path of this machine',
    /(?:\/home|\/root|\/tmp|\/work|\/usr|\/var|node_modules|[A-Z]:\\Users)[/\\]/,
  ],
  ['an address of an engine or a node', /(?:127\.0\.0\.1|localhost):\d{2,5}/],
  // The key of zeros is a hostile value, and can be the name of something.
  ['an access key', /\bfl_(?!0{52})[0-9a-f]{52}\b/],
  [
    'a type that means nothing to users',
    /\b(?:TypeError|RangeError|ReferenceError|ZodError|AssertionError)\b/,
  ],
];

/**
 * An answer must not contain private data of the machine's owner, unless the request contained it.
 * @param own texts that belong in this answer, such as the address of a fork for its user
 * @throws Violation
 */
export function mustNotLeak(answer: string, request: string, own: readonly string[] = []): void {
  let rest = answer;
  for (const text of own) rest = rest.replaceAll(text, '');
  for (const [what, pattern] of LEAKS) {
    const found = pattern.exec(rest)?.[0];
    if (found === undefined || request.includes(found)) continue;
    must(false, `the answer has ${what}: ${excerpt(rest, found)}`);
  }
}

const excerpt = (text: string, found: string): string => {
  const at = text.indexOf(found);
  return JSON.stringify(text.slice(Math.max(0, at - 80), at + 200));
};

export interface Envelope {
  code: number;
  message: string;
  data: unknown;
}

/** Errors that no request may cause while everything works. */
const FAULTS: ReadonlySet<string> = new Set([
  'internal',
  'storageDamaged',
  'outOfFiles',
  'storageFull',
  'cancelled',
  'timedOut',
  'engineUnavailable',
]);

/**
 * @param limit setting of a limit that the requests may reach, which the error then names
 * @throws Violation if the answer is not an envelope, or has an error of `FAULTS`
 */
export function envelopeOf(status: number, text: string, limit?: string): Envelope {
  let answer: Envelope;
  try {
    answer = JSON.parse(text) as Envelope;
  } catch {
    throw new Violation(`status ${status} with a body that is not JSON: ${text.slice(0, 300)}`);
  }
  const { code, message, data } = answer;
  const fields = Object.keys(answer).sort().join();
  must(fields === 'code,data,message', `the envelope has the fields ${fields}`);
  if (code === 0) {
    must(status === 200 && message === 'OK', `code 0 with status ${status} and "${message}"`);
    return answer;
  }
  const [kind, error] = Object.entries(API_ERRORS).find(([, known]) => known.code === code) ?? [];
  must(kind !== undefined && error !== undefined, `the code ${code} is not in the table`);
  must(status === error.status, `code ${code} with status ${status}`);
  must(data === null, `code ${code} with data`);
  must(typeof message === 'string' && message.length > 5, `code ${code} without a message`);
  must(message.length < 20_000, `code ${code} with a message of ${message.length} characters`);
  const isLimit = limit !== undefined && message.includes(`(${limit})`);
  must(isLimit || !FAULTS.has(kind), `code ${code} (${kind}): ${message.slice(0, 300)}`);
  return answer;
}
