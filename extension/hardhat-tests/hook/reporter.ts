import { writeSync } from 'node:fs';
import { MOST_REPORT } from '../hook-order';
import type { ReportLine } from '../report';

const MOST_TEXT = 16_000;

/** Writes what happens to the report, at once: a process that is ended leaves what it did. */
export class Reporter {
  #left = MOST_REPORT;

  /** @param file descriptor */
  constructor(private readonly file: number) {}

  write(line: ReportLine): void {
    const text = `${JSON.stringify(line)}\n`;
    this.#left -= text.length;
    if (this.#left >= 0) writeSync(this.file, text);
  }
}

/** Now, in milliseconds since 1970 with a fraction. */
export const now = (): number => performance.timeOrigin + performance.now();

/** What an error says, without colours and bounded. */
export function textOf(error: unknown): string {
  const whole = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const message = error instanceof Error ? error.message : whole;
  const text = message === '' ? whole : message;
  // eslint-disable-next-line no-control-regex -- colours of the terminal
  return text.replaceAll(/\u001b\[[\d;]*m/g, '').slice(0, MOST_TEXT);
}
