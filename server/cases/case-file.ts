import * as z from 'zod';
import { LIMITS } from '../api/limits';
import { chainSchema, type Chain } from '../api/config';
import { addressSchema, blockHashSchema, hashSchema, type Address } from '../api/primitives';
import { visibleText } from '../api/visible-text';
import { Pauses } from '../kernel/async/slices';
import { KeptAnswers, type KeptAnswer } from '../chains/upstream/kept-answers';
import { refusal } from './container/container-head';
import { readContainer, writeContainer, type Entries } from './container/container';
import { knownSchema, type Known } from './known/known-schema';
import { proofSchema, type CaseProof } from './proof/proof-schema';

const text = z.string().min(1).max(64).overwrite(visibleText);
/** Facts of the chain, without endpoints. */
const factsSchema = chainSchema
  .pick({ slug: true, chainId: true, wrappedNative: true, hardfork: true })
  .extend({
    name: text.optional(),
    nativeSymbol: text,
    /** Set if the transaction was made on a fork of the chain. */
    isFork: z.literal(true).optional(),
  });
const quantitySchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{1,16}$/)]);
const subjectSchema = z.object({
  chain: factsSchema,
  transaction: hashSchema,
  block: z.object({
    number: quantitySchema,
    hash: blockHashSchema,
    /** Of the transaction in its block. */
    position: z.int().min(0),
  }),
  /** Version of Forklens that wrote the file. */
  writtenBy: text,
});
/** What a case is about. */
export type CaseSubject = z.infer<typeof subjectSchema>;

const answerSchema = z.object({
  method: z.string().regex(/^\w{1,64}$/),
  params: z.array(z.unknown()).max(16),
  outcome: z.union([
    z.strictObject({ result: z.unknown() }),
    z.strictObject({
      error: z.object({ code: z.number(), message: z.string(), data: z.unknown().optional() }),
    }),
    z.strictObject({ failure: z.object({ kind: z.string(), message: z.string() }) }),
  ]),
});

/** Content of a case file. */
export interface CaseContent {
  readonly subject: CaseSubject;
  readonly answers: KeptAnswers;
  readonly known: Known;
  /** Undefined without proofs. */
  readonly proof?: CaseProof | undefined;
}

/** A case file that was read, with the SHA-256 that names it. */
export interface CaseFile extends CaseContent {
  readonly id: string;
}

const NAMES = {
  subject: 'case.json',
  answers: 'answers.jsonl',
  known: 'known.json',
  proof: 'proof.json',
};

/** @returns the bytes of the file, and its id */
export function encodeCase({
  subject,
  answers,
  known,
  proof,
}: CaseContent): Promise<{ bytes: Buffer; id: string }> {
  const entries = new Map([
    [NAMES.subject, jsonBytes(subject)],
    [NAMES.answers, Buffer.from(answersText(answers))],
    [NAMES.known, jsonBytes(known)],
  ]);
  if (proof) entries.set(NAMES.proof, jsonBytes(proof));
  return writeContainer(entries);
}

/** A JSON document a line. */
export const answersText = (answers: KeptAnswers): string =>
  answers
    .list()
    .map((answer) => `${JSON.stringify(answer)}\n`)
    .join('');

/**
 * Reads a case file of anyone, in bounded memory.
 * @throws ApiError `caseRefused`
 */
export async function readCase(path: string, signal: AbortSignal): Promise<CaseFile> {
  const { id, entries } = await readContainer(path);
  signal.throwIfAborted();
  const proof = entries.get(NAMES.proof);
  return {
    id,
    subject: valueIn(entries, NAMES.subject, subjectSchema),
    answers: await answersIn(entries, signal),
    known: valueIn(entries, NAMES.known, knownSchema),
    proof: proof && valueIn(entries, NAMES.proof, proofSchema),
  };
}

/** The chain of an open case. @param explorer where the chain's own addresses are shown, by this service's own configuration */
export const chainOf = (
  { chain: { isFork, name, ...facts } }: CaseSubject,
  slug: string,
  explorer: string | undefined,
): Chain => ({
  ...facts,
  slug,
  name: name ?? facts.slug,
  rpcUrls: [],
  // The explorer knows no transaction of a fork.
  ...(explorer === undefined || isFork ? {} : { blockExplorerUrl: explorer }),
});

/** Addresses that occur in answers: in plain form, and in words. */
export function occurringAddresses(answers: string): ReadonlySet<Address> {
  const found = new Set<Address>();
  for (const [, digits] of answers.toLowerCase().matchAll(/(?=(?:0x|0{24})([0-9a-f]{40}))/g)) {
    found.add(addressSchema.parse(`0x${digits ?? ''}`));
  }
  return found;
}

/** Reads a line of answers. @throws ApiError `caseRefused` */
export const answerOf = (line: string): KeptAnswer => checked(line, NAMES.answers, answerSchema);

const jsonBytes = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));

function valueIn<T>(entries: Entries, name: string, schema: z.ZodType<T>): T {
  const bytes = entries.get(name);
  if (!bytes) throw refusal(`it has no entry ${name}`);
  return checked(bytes.toString('utf8'), name, schema);
}

/** @throws ApiError `caseRefused` */
function checked<T>(json: string, name: string, schema: z.ZodType<T>): T {
  try {
    const found = schema.safeParse(JSON.parse(json));
    if (found.success) return found.data;
    const [issue] = found.error.issues;
    throw refusal(`${name} is not valid: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`);
  } catch (error) {
    // Neither JSON, nor nested as deep as a stack permits.
    if (error instanceof SyntaxError || error instanceof RangeError) {
      throw refusal(`${name} cannot be parsed`);
    }
    throw error;
  }
}

async function answersIn(entries: Entries, signal: AbortSignal): Promise<KeptAnswers> {
  const bytes = entries.get(NAMES.answers);
  if (!bytes) throw refusal(`it has no entry ${NAMES.answers}`);
  const pauses = new Pauses(signal);
  const answers: KeptAnswer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\n', at);
    if (end === -1) throw refusal(`the last line of ${NAMES.answers} is cut off`);
    if (answers.length >= LIMITS.caseAnswers) {
      throw refusal(`${NAMES.answers} has more than ${LIMITS.caseAnswers} lines`);
    }
    answers.push(answerOf(bytes.toString('utf8', at, end)));
    at = end + 1;
    await pauses.ifDue();
  }
  try {
    return new KeptAnswers(answers);
  } catch {
    throw refusal(`the parameters in ${NAMES.answers} are nested too deeply`);
  }
}
