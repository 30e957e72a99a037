import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import { fieldPath } from '../../api/validation';
import { replaceFile } from '../../kernel/files/replace-file';
import { UsageError } from '../errors/usage-error';

const lines = z.array(z.string()).optional();
const percent = z.number().min(0).max(100);

const effectsSchema = z.strictObject({
  status: z.enum(['succeeded', 'reverted']),
  gasUsed: z.int().min(0),
  calls: lines,
  events: lines,
  balances: lines,
  state: lines,
});

const entrySchema = z
  .strictObject({
    name: z.string().min(1).max(200),
    /** Slug of a chain, or id or name of a fork. */
    chain: z.string().min(1),
    transaction: z
      .string()
      .regex(/^0x[0-9a-fA-F]{64}$/, { error: 'a transaction hash: 0x and 64 hex digits' })
      .optional(),
    /** Body of `POST /v1/explorer/:chain/simulate`. */
    simulation: z.record(z.string(), z.unknown()).optional(),
    gasTolerance: percent.optional(),
    /** Missing until --update. */
    expected: effectsSchema.optional(),
  })
  .refine(
    ({ transaction, simulation }) => (transaction === undefined) !== (simulation === undefined),
    {
      error: 'has one of "transaction" and "simulation"',
    },
  );

const baselineSchema = z.strictObject({
  forklensBaseline: z.literal(1),
  /** In percent; 0 if missing. */
  gasTolerance: percent.optional(),
  entries: z.array(entrySchema).min(1).max(1000),
});

export type Baseline = z.infer<typeof baselineSchema>;
export type BaselineEntry = Baseline['entries'][number];

/** @throws UsageError that names the field */
export async function readBaseline(file: string): Promise<Baseline> {
  let value: unknown;
  try {
    value = JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const problem = code === undefined ? 'not JSON' : message;
    throw new UsageError(`${file} cannot be read: ${problem}`);
  }
  const { data, error } = baselineSchema.safeParse(value);
  if (data) return data;
  const problems = error.issues.map((one) => `${fieldPath(one.path, 'the file')}: ${one.message}`);
  throw new UsageError(`${file}: ${problems.join('; ')}`);
}

/** Writes the whole file or nothing. @throws UsageError */
export async function writeBaseline(file: string, baseline: Baseline): Promise<void> {
  try {
    await replaceFile(file, `${JSON.stringify(baseline, null, 2)}\n`);
  } catch (error) {
    throw new UsageError(`${file} cannot be written: ${(error as Error).message}`);
  }
}
