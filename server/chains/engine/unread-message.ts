import type { AnswerReader, PausableAnswer } from '../../evm/forms/engine';

/**
 * Anvil reads some parameters over HTTP only, such as the hashes by number in block overrides: over its socket it answers with this error
 * instead, before it executes anything. For invalid parameters it then does not say what is wrong.
 */
const UNREAD = 'did not match any variant of untagged enum';
/** Length of the answer, in bytes. */
const MAX_LENGTH = 512;

/** Whether the message of an error says that the engine could not read a call over its socket. */
export const isUnread = (message: string): boolean => message.includes(UNREAD);

/** Passes the answer to a message on, unless it says that the engine could not read the message. */
export class UnlessUnread implements AnswerReader {
  #answer: PausableAnswer | undefined;
  /** The first piece of an answer that may be short. */
  #first: Buffer | undefined;

  /** @param sendAgain sends the message over HTTP */
  constructor(
    private readonly reader: AnswerReader,
    private readonly sendAgain: () => void,
  ) {}

  onStart(answer: PausableAnswer): void {
    this.#answer = answer;
  }

  onPiece(piece: Buffer): void {
    if (this.#answer && piece.length <= MAX_LENGTH && !this.#first) {
      this.#first = piece;
      return;
    }
    this.#begin();
    this.reader.onPiece(piece);
  }

  onEnd(): void {
    if (this.#first && isUnread(this.#first.toString())) {
      this.sendAgain();
      return;
    }
    this.#begin();
    this.reader.onEnd();
  }

  onError(error: Error): void {
    this.reader.onError(error);
  }

  #begin(): void {
    const answer = this.#answer;
    const first = this.#first;
    this.#answer = undefined;
    this.#first = undefined;
    if (answer) this.reader.onStart(answer);
    if (first) this.reader.onPiece(first);
  }
}
