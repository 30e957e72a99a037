import * as z from 'zod';

/** Forge's output has another form than this program reads. */
export class UnknownForgeOutput extends Error {
  override readonly name = 'UnknownForgeOutput';
}

const hex = z.string().regex(/^0x([0-9a-f]{2})*$/i);
const quantity = z.string().regex(/^0x[0-9a-f]{1,64}$/i);
const address = z
  .string()
  .regex(/^0x[0-9a-f]{40}$/i)
  .transform((text) => text.toLowerCase());

const callSchema = z.object({
  children: z.array(z.int().min(0)),
  logs: z.array(z.object({ raw_log: z.object({ topics: z.array(quantity), data: hex }) })),
  /** Of calls and logs among the steps. */
  ordering: z
    .array(z.record(z.string(), z.int()))
    .transform((all) => all.filter((one) => !('Step' in one))),
  trace: z.object({
    success: z.boolean(),
    caller: address,
    address,
    kind: z.enum(['CALL', 'CALLCODE', 'DELEGATECALL', 'STATICCALL', 'CREATE', 'CREATE2']),
    value: quantity,
    data: hex,
    output: hex,
    gas_used: z.int(),
    gas_limit: z.int(),
    status: z.string().nullable(),
    /** Of the list that `StepReader` keeps. */
    steps: z.int(),
  }),
});

const failingCall = z.object({
  addr: z.string().nullable(),
  calldata: z.string(),
  contract_name: z.string().nullable(),
  func_name: z.string().nullable(),
  raw_args: z.string().nullable(),
});

const testSchema = z.object({
  status: z.enum(['Success', 'Failure', 'Skipped']),
  reason: z.string().nullable(),
  traces: z.array(z.tuple([z.string(), z.object({ arena: z.array(callSchema).min(1) })])),
  labeled_addresses: z.record(z.string(), z.string()).catch({}),
  /** The calls that fail: one of a fuzz test, those of an invariant's sequence. */
  counterexample: z
    .union([
      z.object({ Single: failingCall }).transform(({ Single }) => [Single]),
      z
        .object({ Sequence: z.tuple([z.int(), z.array(failingCall)]) })
        .transform(({ Sequence }) => Sequence[1]),
    ])
    .catch([]),
});

const outputSchema = z.record(
  z.string(),
  z.object({ test_results: z.record(z.string(), testSchema) }),
);

/** A call in the order of execution, with those that cheatcodes and precompiled contracts answer. */
export type ForgeCall = z.infer<typeof callSchema>;
export type ForgeTest = z.infer<typeof testSchema>;
/** Calls of one execution; the first one is the outermost. */
export type ForgeCalls = readonly ForgeCall[];

export interface NamedTest {
  /** As forge writes it: `test/Vault.t.sol:VaultTest`. */
  readonly contract: string;
  /** With its types: `test_fails()`. */
  readonly name: string;
  readonly test: ForgeTest;
}

/**
 * The tests in what `forge test --json -vvvvv` writes, whose lists of steps were replaced by their numbers.
 * @throws UnknownForgeOutput
 */
export function readTests(text: string): NamedTest[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new UnknownForgeOutput('it is not JSON', { cause: error });
  }
  const { data, error } = outputSchema.safeParse(value);
  if (!data) {
    const [issue] = error.issues;
    throw new UnknownForgeOutput(`at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`);
  }
  return Object.entries(data).flatMap(([contract, { test_results: results }]) =>
    Object.entries(results).map(([name, test]) => ({ contract, name, test })),
  );
}
