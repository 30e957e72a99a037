import { AsyncLocalStorage } from 'node:async_hooks';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { Readable } from 'node:stream';
import type { run as runTests } from 'node:test';
import { pathToFileURL } from 'node:url';
import type { HookOrder } from '../hook-order';
import { lineIn, stackHere } from './call-sites';
import { now, textOf, type Reporter } from './reporter';

type Exports = Record<string, unknown> & { run: typeof runTests };
type Stream = ReturnType<typeof runTests>;
type Options = NonNullable<Parameters<typeof runTests>[0]>;

/** Has the runner of Node.js report its tests; in the mode `list`, it executes none. */
export function watchNodeTest({ mode }: Pick<HookOrder, 'mode'>, reporter: Reporter): void {
  const require = createRequire(__filename);
  const exports = require('node:test') as Exports;
  const { run } = exports;
  const list = mode === 'list' ? new ListedFiles(exports, reporter) : undefined;
  exports.run = (options?: Options): Stream => {
    if (list) return list.read(options?.files ?? []);
    const stream = run(options);
    report(stream, reporter);
    return stream;
  };
  syncBuiltinESMExports();
}

function report(stream: Stream, reporter: Reporter): void {
  const open: string[] = [];
  const placeOf = ({ name, nesting, file }: { name: string; nesting: number; file?: string }) => {
    open.length = nesting;
    open[nesting] = name;
    return { file: file ?? '', path: [...open] };
  };
  // These events are sent as it happens; those for reporters wait for their order.
  stream.on('test:dequeue', (data) => {
    reporter.write({ ...placeOf(data), type: 'start', at: now() });
  });
  stream.on('test:complete', (data) => {
    const at = now();
    const { details, skip, todo } = data;
    const { passed: isPassed, type, duration_ms: milliseconds } = details;
    const place = placeOf(data);
    if (type === 'suite') reporter.write({ ...place, type: 'close' });
    if (isPassed) {
      if (type === 'suite') return;
      const isSkipped = skip !== undefined || todo !== undefined;
      const status = isSkipped ? 'skipped' : 'passed';
      reporter.write({ ...place, type: 'end', at, status, milliseconds });
      return;
    }
    const failure = details.error as Error & { failureType?: string };
    if (failure.failureType === 'subtestsFailed') return;
    const error = failure.cause instanceof Error ? failure.cause : failure;
    const message = textOf(error);
    // A file that cannot be loaded is a test with its path as name.
    if (data.file === undefined) {
      reporter.write({ file: data.name, path: [], type: 'broken', message });
      return;
    }
    if (type === 'suite') {
      reporter.write({ ...place, type: 'broken', message });
      return;
    }
    const line = lineIn(error.stack, place.file);
    reporter.write({ ...place, type: 'end', at, status: 'failed', milliseconds, message, line });
  });
}

type Body = (context?: unknown) => unknown;

/** Loads test files to list their tests: `describe` and `it` are replaced, and execute no test. */
class ListedFiles {
  readonly #place = new AsyncLocalStorage<{ file: string; path: readonly string[] }>();
  #pending: Promise<unknown>[] = [];

  constructor(
    exports: Exports,
    private readonly reporter: Reporter,
  ) {
    const test = withVariants((title) => {
      this.#note(title);
    });
    const suite = withVariants((title, body) => {
      const { file, path } = this.#here();
      const ran = this.#place.run({ file, path: [...path, title] }, () => body?.());
      this.#pending.push(Promise.resolve(ran).catch(() => undefined));
    });
    const nothing = (): void => undefined;
    const hooks = { before: nothing, after: nothing, beforeEach: nothing, afterEach: nothing };
    Object.assign(exports, { test, it: test, suite, describe: suite }, hooks);
  }

  read(files: readonly string[]): Readable {
    return Readable.from(this.#events(files), { objectMode: true });
  }

  /** No event: the tests are written to the report. */
  async *#events(files: readonly string[]): AsyncGenerator<never> {
    for (const file of files) {
      try {
        await this.#place.run({ file, path: [] }, () => import(pathToFileURL(file).href));
      } catch (error) {
        const place = { file, path: [] };
        this.reporter.write({ ...place, type: 'broken', message: textOf(error) });
      }
      while (this.#pending.length > 0) {
        const pending = this.#pending;
        this.#pending = [];
        await Promise.all(pending);
      }
    }
    yield* [];
  }

  #here(): { file: string; path: readonly string[] } {
    return this.#place.getStore() ?? { file: '', path: [] };
  }

  #note(title: string): void {
    const { file, path } = this.#here();
    const line = lineIn(stackHere(), file);
    this.reporter.write({ type: 'test', runner: 'node', file, path: [...path, title], line });
  }
}

/** A function such as `it`, with `it.skip`, `it.only` and `it.todo`. */
function withVariants(declare: (title: string, body: Body | undefined) => void): object {
  const one = (...args: unknown[]): Promise<void> => {
    const body = args.find((arg): arg is Body => typeof arg === 'function');
    const [first] = args;
    declare(typeof first === 'string' ? first : (body?.name ?? '') || '<anonymous>', body);
    return Promise.resolve();
  };
  return Object.assign(one, { skip: one, only: one, todo: one });
}
