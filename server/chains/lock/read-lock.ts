import { isTooDeep } from '../../evm/forms/json-depth';
import { emptyLock, keyOfEndpoint, type Lock, type LockedAnswer, type LockedChain } from './lock';
import { lockedText } from './locked-call';
import { hashOf, LOCK_VERSION, ordered } from './write-lock';

/** A file that is not a lock, or a damaged one. The message names the line. */
export class LockError extends Error {
  override readonly name = 'LockError';

  constructor(line: number, problem: string) {
    super(`line ${line}: ${problem}`);
  }
}

const SEED = /^0x[0-9a-f]{1,64}$/;
const CONFLICT = /^(<{7}|={7}|>{7}|\|{7})/;
const NAME = /^[\w.-]{1,128}$/;
const SHOWN_CHARACTERS = 60;
const SECTIONS =
  '{"variable": name, "chain": id}, {"foundry": name, "chain": id}, {"fuzzSeed": hex}, {"chain": id, "head": number}, {"chain": id, "block": number or "byHash"} or {"values": "sha256"}';

/** Reads a lock. The order of its lines does not matter within a chunk, so that merged files can be read. @throws LockError */
export function readLock(text: string): Lock {
  const reader = new LockReader();
  let start = 0;
  for (let line = 1; start < text.length; line++) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    const content = text.slice(start, end).replace(/\r$/, '');
    if (content !== '') reader.take(content, line);
    start = end + 1;
  }
  return reader.finish();
}

interface Place {
  line: number;
  answer: LockedAnswer;
  /** Hash of a long answer. */
  hash?: string;
}

class LockReader {
  readonly #lock = emptyLock();
  readonly #values = new Map<string, unknown>();
  /** Calls of the current chain, by text. */
  readonly #places = new Map<LockedChain, Map<string, Place>>();
  #chain: LockedChain | undefined;
  #isValues = false;
  #hasHead = false;

  take(text: string, line: number): void {
    if (CONFLICT.test(text)) {
      throw new LockError(
        line,
        'a conflict of a merge; take one side, then run forklens lock update',
      );
    }
    const value = parsed(text, line);
    if (!this.#hasHead) this.#takeHead(value, line);
    else if (Array.isArray(value)) this.#takeEntry(value, text, line);
    else this.#takeSection(value, line);
  }

  /** Puts long answers where they belong. */
  finish(): Lock {
    if (!this.#hasHead) throw new LockError(1, 'the file is empty');
    for (const [chain, places] of this.#places) {
      for (const [key, { answer, hash, line }] of places) {
        if (hash !== undefined) {
          if (!this.#values.has(hash)) throw new LockError(line, `the value ${hash} is missing`);
          answer.outcome = { value: this.#values.get(hash) };
        }
        chain.answers.set(key, answer);
      }
    }
    return this.#lock;
  }

  #takeHead(value: unknown, line: number): void {
    const version = (value as { forklensLock?: unknown } | null)?.forklensLock;
    if (version === undefined) {
      throw new LockError(line, 'not a lockfile of Forklens: {"forklensLock": 1} is missing');
    }
    if (version !== LOCK_VERSION) {
      throw new LockError(line, `version ${shown(version)}; accepted: ${LOCK_VERSION}`);
    }
    this.#hasHead = true;
  }

  #takeSection(value: unknown, line: number): void {
    const { variable, foundry, chain, head, block, values, fuzzSeed } = (value ?? {}) as Record<
      string,
      unknown
    >;
    const name = variable ?? foundry;
    if (values === 'sha256') this.#isValues = true;
    else if (typeof fuzzSeed === 'string' && SEED.test(fuzzSeed)) this.#lock.fuzzSeed = fuzzSeed;
    else if (isCount(chain) && typeof name === 'string' && NAME.test(name)) {
      const kind = variable === undefined ? 'foundry' : 'variable';
      const key = keyOfEndpoint({ kind, name });
      const known = this.#lock.endpoints.get(key);
      if (known !== undefined && known !== chain) {
        throw new LockError(
          line,
          `${name} is of chain ${chain}, and of ${known} on an earlier line`,
        );
      }
      this.#lock.endpoints.set(key, chain);
    } else if (isCount(chain) && isCount(head)) this.#openChain(chain, BigInt(head), line);
    else if (isCount(chain) && (block === 'byHash' || isCount(block))) {
      this.#chain = this.#lock.chains.get(chain);
      this.#isValues = false;
      if (!this.#chain)
        throw new LockError(line, `the head of chain ${chain} is missing before it`);
    } else throw new LockError(line, `${shown(value)}; accepted: ${SECTIONS}, or an array`);
  }

  #openChain(id: number, head: bigint, line: number): void {
    const known = this.#lock.chains.get(id);
    if (known && known.head !== head) {
      throw new LockError(
        line,
        `chain ${id} has another head, ${known.head.toString()}, on an earlier line`,
      );
    }
    this.#chain = known ?? { head, answers: new Map() };
    this.#isValues = false;
    this.#lock.chains.set(id, this.#chain);
  }

  #takeEntry(entry: readonly unknown[], text: string, line: number): void {
    if (this.#isValues) this.#takeValue(entry, text, line);
    else if (this.#chain) this.#takeAnswer(this.#chain, entry, line);
    else throw new LockError(line, 'an entry before the first chain');
  }

  #takeValue([hash, value]: readonly unknown[], text: string, line: number): void {
    if (typeof hash !== 'string' || value === undefined) {
      throw new LockError(line, 'not a value: [hash, answer] is accepted');
    }
    // The text as it was written saves the second conversion of each value of an undamaged file.
    const json = text.slice(hash.length + 4, -1);
    if (hashOf(json) !== hash && hashOf(JSON.stringify(ordered(value))) !== hash) {
      throw new LockError(line, `the value is damaged: its hash is not ${shown(hash)}`);
    }
    this.#values.set(hash, value);
  }

  #takeAnswer(chain: LockedChain, entry: readonly unknown[], line: number): void {
    const [method, params, answer, kind] = entry;
    if (typeof method !== 'string' || !Array.isArray(params) || answer === undefined) {
      throw new LockError(line, 'not an entry: [method, parameters, answer] is accepted');
    }
    const call = { method, params: params as unknown[] };
    const place: Place = { line, answer: { call, outcome: { value: answer } } };
    if (kind === 'value' && typeof answer === 'string') place.hash = answer;
    else if (kind === 'error' && isError(answer)) place.answer.outcome = { error: answer };
    else if (kind !== undefined)
      throw new LockError(line, `${shown(kind)}; accepted: "value", "error"`);
    this.#keep(chain, lockedText(call), place);
  }

  #keep(chain: LockedChain, key: string, place: Place): void {
    const places = this.#places.get(chain) ?? new Map<string, Place>();
    this.#places.set(chain, places);
    const known = places.get(key);
    if (known && !isSame(known, place)) {
      throw new LockError(place.line, `another answer to the same call is on line ${known.line}`);
    }
    places.set(key, place);
  }
}

const isSame = (a: Place, b: Place): boolean =>
  a.hash === b.hash &&
  JSON.stringify(ordered(a.answer.outcome)) === JSON.stringify(ordered(b.answer.outcome));

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

const isError = (value: unknown): value is { code: number; message: string } => {
  const { code, message } = (value ?? {}) as Record<string, unknown>;
  return Number.isSafeInteger(code) && typeof message === 'string';
};

function parsed(text: string, line: number): unknown {
  if (isTooDeep(text)) throw new LockError(line, 'nested too deep');
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new LockError(line, `not JSON: ${shown(text)}`);
  }
}

function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text;
}
