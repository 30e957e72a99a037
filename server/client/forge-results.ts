import * as z from 'zod';
import { ForgeError, type ListedTest } from './forge';

const listSchema = z.record(z.string(), z.record(z.string(), z.array(z.string())));

const callSchema = z.object({
  func_name: z.string().nullable().catch(null),
  args: z.string().nullable().catch(null),
});
const resultSchema = z.object({
  status: z.enum(['Success', 'Failure', 'Skipped']),
  reason: z.string().nullable(),
  counterexample: z
    .union([
      z.object({ Single: callSchema }).transform(({ Single }) => [Single]),
      z
        .object({ Sequence: z.tuple([z.int(), z.array(callSchema)]) })
        .transform(({ Sequence }) => Sequence[1]),
      z.null().transform(() => []),
    ])
    .catch([]),
  decoded_logs: z.array(z.string()).catch([]),
  kind: z.record(z.string(), z.record(z.string(), z.unknown())).catch({}),
  duration: z.string().catch(''),
});
const resultsSchema = z.record(
  z.string(),
  z.object({ test_results: z.record(z.string(), resultSchema) }),
);

/** How a test ended. */
export interface TestOutcome extends ListedTest {
  readonly status: 'Success' | 'Failure' | 'Skipped';
  /** Why it failed; the arguments of the counterexample follow. Empty where nothing is known. */
  readonly reason: string;
  /** What it logged. */
  readonly logs: readonly string[];
  /** `gas 48119`, or `runs 256, median gas 26915`; empty where unknown. */
  readonly cost: string;
  /** Undefined where unknown. */
  readonly milliseconds: number | undefined;
}

/** @param text what `forge test --list --json` wrote @throws ForgeError */
export function readTestList(text: string): ListedTest[] {
  return Object.entries(parsed(text, listSchema)).flatMap(([file, contracts]) =>
    Object.entries(contracts).flatMap(([contract, names]) =>
      names.map((name) => ({ file, contract, name: bare(name) })),
    ),
  );
}

/** @param text what `forge test --json` wrote @throws ForgeError */
export function readOutcomes(text: string): TestOutcome[] {
  return Object.entries(parsed(text, resultsSchema)).flatMap(([key, { test_results: results }]) => {
    const colon = key.lastIndexOf(':');
    const [file, contract] = [key.slice(0, colon), key.slice(colon + 1)];
    return Object.entries(results).map(([name, result]) => ({
      file,
      contract,
      name: bare(name),
      status: result.status,
      reason: reasonOf(result),
      logs: result.decoded_logs,
      cost: costOf(result.kind),
      milliseconds: millisecondsOf(result.duration),
    }));
  });
}

const bare = (signature: string): string => signature.replace(/\(.*$/, '');

/** Compilers write to the standard output, too: the answer is the last line. @throws ForgeError */
function parsed<T>(text: string, schema: z.ZodType<T>): T {
  const line = text.trimEnd().split('\n').at(-1) ?? '';
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    throw new ForgeError(`forge wrote no result: ${text.trim().slice(0, 2_000) || 'nothing'}`);
  }
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new ForgeError(
    `forge wrote results of another form than is read (forge 1.5 was tried): at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
  );
}

function reasonOf({ reason, counterexample }: z.infer<typeof resultSchema>): string {
  const calls = counterexample.map(({ func_name: name, args }) =>
    name === null ? `args=[${args ?? ''}]` : `${name}(${args ?? ''})`,
  );
  return [reason ?? '', calls.join(', ')].filter((part) => part !== '').join('; ');
}

function costOf(kind: z.infer<typeof resultSchema>['kind']): string {
  const { gas } = kind['Unit'] ?? {};
  if (typeof gas === 'number') return `gas ${gas}`;
  const { runs, median_gas: median, calls } = kind['Fuzz'] ?? kind['Invariant'] ?? {};
  return [
    typeof runs === 'number' ? `runs ${runs}` : '',
    typeof median === 'number' ? `median gas ${median}` : '',
    typeof calls === 'number' ? `calls ${calls}` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

const UNITS: Readonly<Record<string, number>> = {
  h: 3_600_000,
  m: 60_000,
  s: 1_000,
  ms: 1,
  us: 1e-3,
  µs: 1e-3,
  ns: 1e-6,
};

/** `2ms 541µs 916ns` */
function millisecondsOf(text: string): number | undefined {
  let sum: number | undefined;
  for (const [, amount = '0', unit = ''] of text.matchAll(/(\d+)(h|ms|m|s|us|µs|ns)/g)) {
    sum = (sum ?? 0) + Number(amount) * (UNITS[unit] ?? 0);
  }
  return sum;
}

/** Line of a test's declaration in a source, from 0; undefined if it is not there: it is inherited then. */
export function lineOfTest(
  source: string,
  { contract, name }: Omit<ListedTest, 'file'>,
): number | undefined {
  const start = source.search(new RegExp(`\\bcontract\\s+${contract}\\b`));
  if (start === -1) return undefined;
  const offset = source.slice(start).search(new RegExp(`\\bfunction\\s+${name}\\s*\\(`));
  return offset === -1 ? undefined : source.slice(0, start + offset).split('\n').length - 1;
}
