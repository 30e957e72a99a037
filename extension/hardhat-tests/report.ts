import * as z from 'zod';

const place = {
  /** Absolute path. */
  file: z.string(),
  /** Titles from the outermost one; of a test in Solidity contract and function. */
  path: z.array(z.string()),
};

const lineSchema = z.discriminatedUnion('type', [
  z.object({
    ...place,
    type: z.literal('test'),
    runner: z.enum(['mocha', 'node', 'solidity']),
    /** From 1. */
    line: z.number().optional(),
  }),
  z.object({
    ...place,
    type: z.literal('start'),
    /** Milliseconds since 1970, with a fraction. */
    at: z.number(),
  }),
  z.object({
    ...place,
    type: z.literal('end'),
    at: z.number(),
    status: z.enum(['passed', 'failed', 'skipped']),
    milliseconds: z.number().optional(),
    message: z.string().optional(),
    /** Line of the file in which it failed, from 1. */
    line: z.number().optional(),
    logs: z.array(z.string()).optional(),
    cost: z.string().optional(),
  }),
  /** The end of a suite that had a start. */
  z.object({ ...place, type: z.literal('close') }),
  /** A hook, a suite or a file (with an empty path) that failed: its tests did not run. */
  z.object({ ...place, type: z.literal('broken'), message: z.string() }),
]);

export type ReportLine = z.infer<typeof lineSchema>;
export type TestEnd = Extract<ReportLine, { type: 'end' }>;

export interface ListedTest {
  readonly file: string;
  readonly path: readonly string[];
  readonly runner: 'mocha' | 'node' | 'solidity';
  readonly line: number | undefined;
  /** Of several tests with the same name in one file, from 0: they are executed together. */
  readonly nth: number;
}

/** How a test ended, and when it ran. */
export interface TestOutcome extends TestEnd {
  readonly nth: number;
  /** When it began, as `at`; undefined where tests run at the same time. */
  readonly began: number | undefined;
}

export interface BrokenPart {
  readonly file: string;
  readonly path: readonly string[];
  readonly message: string;
}

/** What a run reports, also one that was ended. */
export interface RunReport {
  readonly outcomes: readonly TestOutcome[];
  readonly broken: readonly BrokenPart[];
}

/** Lines of a report. The last one may be unfinished, and lines of another form are left out. */
function* linesOf(text: string): Generator<ReportLine> {
  for (const line of text.split('\n')) {
    if (line === '') continue;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      continue;
    }
    const { success, data } = lineSchema.safeParse(value);
    if (success) yield data;
  }
}

/** The name of a test in its file, as a key. */
export const keyOf = ({ file, path }: { file: string; path: readonly string[] }): string =>
  JSON.stringify([file, ...path]);

class Counts {
  readonly #counts = new Map<string, number>();

  /** @returns how often the test was there before */
  next(test: { file: string; path: readonly string[] }): number {
    const key = keyOf(test);
    const count = this.#counts.get(key) ?? 0;
    this.#counts.set(key, count + 1);
    return count;
  }
}

/** @param text what the hook wrote in the mode `list` @returns also files that could not be loaded */
export function readList(text: string): { tests: ListedTest[]; broken: BrokenPart[] } {
  const counts = new Counts();
  const tests: ListedTest[] = [];
  const broken: BrokenPart[] = [];
  for (const line of linesOf(text)) {
    if (line.type === 'broken') broken.push(line);
    if (line.type !== 'test') continue;
    const { file, path, runner } = line;
    tests.push({ file, path, runner, line: line.line, nth: counts.next(line) });
  }
  return { tests, broken };
}

/** @param text what the hook wrote in the mode `run`, also of a run that was ended */
export function readReport(text: string): RunReport {
  const counts = new Counts();
  const outcomes: TestOutcome[] = [];
  const broken: BrokenPart[] = [];
  const running = new Running();
  for (const line of linesOf(text)) {
    if (line.type === 'broken') broken.push(line);
    if (line.type === 'start') running.start(line);
    if (line.type === 'close') running.end(line);
    if (line.type === 'end') {
      outcomes.push({ ...line, nth: counts.next(line), began: running.end(line) });
    }
  }
  return { outcomes, broken };
}

interface Begun {
  readonly file: string;
  readonly path: readonly string[];
  readonly at: number;
  /** Whether others ran at the same time. */
  isBeside: boolean;
}

/** Tests and suites that began and did not end. */
class Running {
  readonly #begun = new Map<string, Begun>();

  start(line: Omit<Begun, 'isBeside'>): void {
    const others = [...this.#begun.values()].filter((one) => !contains(one, line));
    for (const one of others) one.isBeside = true;
    this.#begun.set(keyOf(line), { ...line, isBeside: others.length > 0 });
  }

  /** @returns when it began; undefined where that is not known, or others ran at the same time */
  end(line: { file: string; path: readonly string[] }): number | undefined {
    const key = keyOf(line);
    const begun = this.#begun.get(key);
    this.#begun.delete(key);
    return begun?.isBeside === false ? begun.at : undefined;
  }
}

const contains = (outer: Omit<Begun, 'at' | 'isBeside'>, inner: Omit<Begun, 'isBeside'>): boolean =>
  outer.file === inner.file &&
  outer.path.length < inner.path.length &&
  outer.path.every((title, depth) => title === inner.path[depth]);
