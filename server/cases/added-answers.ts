import { appendFile, readFile, rm } from 'node:fs/promises';
import type { KeptAnswer } from '../chains/upstream/kept-answers';
import { answerOf } from './case-file';

/** Answers that were added to an open case, a JSON document a line. The case file itself stays as its hash names it. */
export class AddedAnswers {
  #last: Promise<void> = Promise.resolve();

  constructor(private readonly path: string) {}

  /** @returns none if there is no file. A line that was cut off is left out. */
  async read(): Promise<KeptAnswer[]> {
    const text = await readFile(this.path, 'utf8').catch(() => '');
    return text
      .split('\n')
      .slice(0, -1)
      .map((line) => answerOf(line));
  }

  /** Lines are written one after another. */
  add(answer: KeptAnswer): Promise<void> {
    const line = `${JSON.stringify(answer)}\n`;
    this.#last = this.#last
      .catch(() => undefined)
      .then(() => appendFile(this.path, line, { mode: 0o600 }));
    return this.#last;
  }

  async remove(): Promise<void> {
    await this.#last.catch(() => undefined);
    await rm(this.path, { force: true });
  }
}
