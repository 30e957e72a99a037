import { stripVTControlCharacters } from 'node:util';

/** forge: `Ran 2 tests for test/A.t.sol:ATest`, then `[FAIL: reason] test_name() (gas: 1)`. */
const FORGE_SUITE = /^Ran \d+ tests? for (\S+)/;
const FORGE_TEST = /^\[FAIL\b.*\] (\w+\([^)]*\))/;
/** mocha: `  1) Suite`, the names inside it further right, `:` after the last one, then the message. */
const MOCHA_FIRST = /^ {2,}\d+\) (.+)$/;
const MAX_LINE = 1_000_000;

/** Finds out which test asked: the one whose failure message contains a mark, in the output of a test runner. */
export class FailedTests {
  /** Names of tests by the mark in their messages. */
  readonly byMark = new Map<string, string>();
  #line = '';
  #suite = '';
  #title: string[] = [];
  #isTitleOpen = false;

  /** @param mark finds the marks in a line */
  constructor(private readonly mark: RegExp) {}

  take(text: string): void {
    const lines = (this.#line + text).split('\n');
    this.#line = (lines.pop() ?? '').slice(-MAX_LINE);
    for (const line of lines) this.#takeLine(stripVTControlCharacters(line).trimEnd());
  }

  #takeLine(line: string): void {
    const suite = FORGE_SUITE.exec(line)?.[1];
    if (suite !== undefined) this.#suite = suite;
    const first = MOCHA_FIRST.exec(line)?.[1];
    if (first !== undefined) this.#openTitle(first);
    else if (this.#isTitleOpen) this.#addToTitle(line);
    const marks = line.match(this.mark) ?? [];
    if (marks.length === 0) return;
    const test = FORGE_TEST.exec(line)?.[1];
    const name = test === undefined ? this.#title.join(' ') : `${this.#suite}.${test}`;
    if (name === '') return;
    for (const mark of marks) if (!this.byMark.has(mark)) this.byMark.set(mark, name);
  }

  #openTitle(text: string): void {
    this.#title = [text.replace(/:$/, '')];
    this.#isTitleOpen = !text.endsWith(':');
  }

  #addToTitle(line: string): void {
    const text = line.trim();
    if (text === '') this.#isTitleOpen = false;
    else this.#title.push(text.replace(/:$/, ''));
    if (text.endsWith(':')) this.#isTitleOpen = false;
  }
}
