import { ApiError } from '../../api/errors';
import { LIMITS } from '../../api/limits';
import { Pauses } from '../../kernel/async/slices';
import { UnknownForgeOutput } from './forge-output';
import type { StepLists } from './step-lists';

const [QUOTE, BACKSLASH, COLON] = [0x22, 0x5c, 0x3a];
const [OBJECT, OBJECT_END, LIST, LIST_END] = [0x7b, 0x7d, 0x5b, 0x5d];
const NOTHING = Buffer.alloc(0);

/**
 * Reads forge's output as a stream. Each step is read by itself, and its memory, which is most of the output, is passed over: it follows from
 * the steps. Everything else is kept as text, with the number of each list of steps in the list's place.
 */
class OutputScanner {
  readonly #rest: string[] = [];
  #restLength = 0;
  #tail: Buffer = NOTHING;
  #depth = 0;
  #key = '';
  /** Depth inside of the list of steps; 0 outside. */
  #stepsDepth = 0;
  #step = '';
  #isPassing = false;

  constructor(private readonly steps: StepLists) {}

  /** @throws UnknownForgeOutput; RecordingTooLarge; ApiError `recordingTooLarge` */
  push(chunk: Buffer): void {
    const bytes = this.#tail.length === 0 ? chunk : Buffer.concat([this.#tail, chunk]);
    this.#tail = NOTHING;
    let from = 0;
    let at = 0;
    while (at < bytes.length) {
      if (this.#isPassing) {
        const end = bytes.indexOf(QUOTE, at);
        if (end === -1) return;
        this.#isPassing = false;
        from = end;
        at = end + 1;
        continue;
      }
      const byte = bytes[at];
      if (byte === QUOTE) {
        if (this.#stepsDepth > 0 && this.#key === 'memory') {
          this.#keep(bytes, from, at + 1);
          this.#isPassing = true;
          this.#key = '';
          at++;
          from = at;
          continue;
        }
        const end = endOfText(bytes, at);
        if (end === -1 || end + 1 === bytes.length) {
          this.#keep(bytes, from, at);
          this.#holdBack(bytes.subarray(at));
          return;
        }
        // Names of fields are short, and have no escapes.
        const isKey = bytes[end + 1] === COLON;
        this.#key = isKey && end - at < 24 ? bytes.toString('latin1', at + 1, end) : '';
        at = end + (isKey ? 2 : 1);
        continue;
      }
      from = this.#structure(bytes, byte, from, at);
      at++;
    }
    this.#keep(bytes, from, bytes.length);
  }

  /** @returns where the text begins that is not kept yet */
  #structure(bytes: Buffer, byte: number | undefined, from: number, at: number): number {
    if (byte === OBJECT || byte === LIST) {
      this.#depth++;
      const isSteps = byte === LIST && this.#key === 'steps' && this.#stepsDepth === 0;
      const isStep = this.#stepsDepth > 0 && this.#depth === this.#stepsDepth + 1;
      this.#key = '';
      if (isStep) return at;
      if (!isSteps) return from;
      this.#keep(bytes, from, at);
      this.#keepText(String(this.steps.begin()));
      this.#stepsDepth = this.#depth;
      return at + 1;
    }
    if (byte !== OBJECT_END && byte !== LIST_END) return from;
    this.#key = '';
    this.#depth--;
    if (this.#stepsDepth === 0) return from;
    if (this.#depth === this.#stepsDepth) {
      this.#keep(bytes, from, at + 1);
      this.#endStep();
      return at + 1;
    }
    if (this.#depth === this.#stepsDepth - 1) {
      this.#stepsDepth = 0;
      return at + 1;
    }
    return from;
  }

  #endStep(): void {
    let value: unknown;
    try {
      value = JSON.parse(this.#step);
    } catch (error) {
      throw new UnknownForgeOutput('a step is not JSON', { cause: error });
    }
    this.#step = '';
    this.steps.add(value);
  }

  #keep(bytes: Buffer, from: number, end: number): void {
    if (end <= from) return;
    if (this.#stepsDepth === 0) this.#keepText(bytes.toString('utf8', from, end));
    else if (this.#depth > this.#stepsDepth || this.#step !== '' || bytes[from] === OBJECT) {
      this.#step += bytes.toString('utf8', from, end);
      if (this.#step.length > LIMITS.forgeCalls) throw tooLarge('a step');
    }
  }

  #keepText(text: string): void {
    this.#rest.push(text);
    this.#restLength += text.length;
    if (this.#restLength > LIMITS.forgeCalls) throw tooLarge('the calls of the test');
  }

  #holdBack(tail: Buffer): void {
    if (tail.length > LIMITS.forgeCalls) throw tooLarge('a text');
    this.#tail = Buffer.from(tail);
  }

  /** The text without steps. @throws UnknownForgeOutput */
  end(): string {
    if (this.#depth !== 0 || this.#tail.length > 0) {
      throw new UnknownForgeOutput('it ends in the middle: forge was stopped, or the disk is full');
    }
    return this.#rest.join('');
  }
}

const tooLarge = (what: string): ApiError =>
  new ApiError(
    'recordingTooLarge',
    `${what} in the output of forge take more than ${LIMITS.forgeCalls / 1024 ** 2} MiB: debug a shorter test`,
  );

/** Index of the quote that ends a text; -1 if it is not in the bytes. @param at of the one that begins it */
function endOfText(bytes: Buffer, at: number): number {
  for (let end = bytes.indexOf(QUOTE, at + 1); end !== -1; end = bytes.indexOf(QUOTE, end + 1)) {
    let escapes = 0;
    while (bytes[end - 1 - escapes] === BACKSLASH) escapes++;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}

/**
 * Reads the output of `forge test --json -vvvvv`.
 * @param steps receives the steps
 * @returns the rest as text
 * @throws UnknownForgeOutput; RecordingTooLarge; ApiError `recordingTooLarge`; the signal's reason
 */
export async function scanOutput(
  chunks: AsyncIterable<Buffer>,
  steps: StepLists,
  signal: AbortSignal,
): Promise<string> {
  const scanner = new OutputScanner(steps);
  const pauses = new Pauses(signal);
  let bytes = 0;
  for await (const chunk of chunks) {
    bytes += chunk.length;
    if (bytes > LIMITS.forgeOutput) throw outputTooLarge();
    scanner.push(chunk);
    await pauses.ifDue();
  }
  return scanner.end();
}

/** The output has more bytes than are read. */
export const outputTooLarge = (): ApiError =>
  new ApiError(
    'recordingTooLarge',
    `the output of forge has more than ${LIMITS.forgeOutput / 1024 ** 3} GiB, because it repeats the memory at every step: debug a shorter test, or one that uses less memory`,
  );
