import * as z from 'zod';
import { LIMITS } from '../api/limits';
import { shownSchema, type CaseShown } from '../api/case-content';
import { inSlices, Pauses } from '../kernel/async/slices';
import { KeptAnswers, type KeptAnswer } from '../chains/upstream/kept-answers';
import { answersWork } from './case-answers';
import { refusal } from './container/container-head';
import { readContainer, writeContainer, type Entries } from './container/container';
import { subjectSchema, type CaseSubject } from './case-subject';
import { knownSchema, type Known } from './known/known-schema';
import { proofSchema, type CaseProof } from './proof/proof-schema';

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

/** What a case holds of one chain or fork. */
export interface CasePart {
  readonly subject: CaseSubject;
  readonly answers: KeptAnswers;
  readonly known: Known;
  /** Undefined without proofs. */
  readonly proof?: CaseProof | undefined;
}

/** Content of a case file. */
export interface CaseContent {
  readonly parts: readonly CasePart[];
  /** Undefined: an inspector. */
  readonly shown?: CaseShown | undefined;
}

/** A case file that was read, with the SHA-256 that names it. */
export interface CaseFile extends CaseContent {
  readonly id: string;
}

const SHOWN = 'shown.json';
/** Names of the entries of a part: `case.json` of the first, `case-b.json` of the second. */
const namesOf = (part: number) => {
  const mark = part === 0 ? '' : `-${partLetter(part)}`;
  return {
    subject: `case${mark}.json`,
    answers: `answers${mark}.jsonl`,
    known: `known${mark}.json`,
    proof: `proof${mark}.json`,
  };
};

/** Marks a part after the first: b, c and so on. */
export const partLetter = (part: number): string => String.fromCharCode(97 + part);

/** @returns the bytes of the file, and its id */
export async function encodeCase({
  parts,
  shown,
}: CaseContent): Promise<{ bytes: Buffer; id: string }> {
  const entries = new Map<string, Buffer>();
  for (const [part, { subject, answers, known, proof }] of parts.entries()) {
    const names = namesOf(part);
    entries.set(names.subject, jsonBytes(subject));
    entries.set(names.answers, await inSlices(answersWork(answers)));
    entries.set(names.known, jsonBytes(known));
    if (proof) entries.set(names.proof, jsonBytes(proof));
  }
  if (shown) entries.set(SHOWN, jsonBytes(shown));
  return writeContainer(entries);
}

/**
 * Reads a case file of anyone, in bounded memory.
 * @throws ApiError `caseRefused`
 */
export async function readCase(path: string, signal: AbortSignal): Promise<CaseFile> {
  const { id, entries } = await readContainer(path);
  const parts: CasePart[] = [];
  while (parts.length < LIMITS.caseChains) {
    signal.throwIfAborted();
    const names = namesOf(parts.length);
    if (parts.length > 0 && !entries.has(names.subject)) break;
    const proof = entries.get(names.proof);
    parts.push({
      subject: valueIn(entries, names.subject, subjectSchema),
      answers: await answersIn(entries, names.answers, signal),
      known: valueIn(entries, names.known, knownSchema),
      proof: proof && valueIn(entries, names.proof, proofSchema),
    });
  }
  const shown = entries.has(SHOWN) ? valueIn(entries, SHOWN, shownSchema) : undefined;
  if (shown?.kind === 'comparison' && countOf(parts) !== 2) {
    throw refusal('it shows a comparison, and has not two analyses');
  }
  return { id, parts, shown };
}

const countOf = (parts: readonly CasePart[]): number =>
  parts.reduce((sum, { subject }) => sum + subject.analyses.length, 0);

/** Reads a line of answers. @throws ApiError `caseRefused` */
export const answerOf = (line: string, name = 'answers.jsonl'): KeptAnswer =>
  checked(line, name, answerSchema);

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

async function answersIn(
  entries: Entries,
  name: string,
  signal: AbortSignal,
): Promise<KeptAnswers> {
  const bytes = entries.get(name);
  if (!bytes) throw refusal(`it has no entry ${name}`);
  const pauses = new Pauses(signal);
  const answers: KeptAnswer[] = [];
  for (let at = 0; at < bytes.length;) {
    const end = bytes.indexOf('\n', at);
    if (end === -1) throw refusal(`the last line of ${name} is cut off`);
    if (answers.length >= LIMITS.caseAnswers) {
      throw refusal(`${name} has more than ${LIMITS.caseAnswers} lines`);
    }
    answers.push(answerOf(bytes.toString('utf8', at, end), name));
    at = end + 1;
    await pauses.ifDue();
  }
  try {
    return new KeptAnswers(answers);
  } catch {
    throw refusal(`the parameters in ${name} are nested too deeply`);
  }
}
