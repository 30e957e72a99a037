import * as z from 'zod';
import type { CaseAnalysis } from '../api/case-content';
import { chainSchema, type Chain } from '../api/config';
import { blockHashSchema, hashSchema } from '../api/primitives';
import { CONTRACT_LIMITS } from '../api/schema-limits';
import { simulateBody } from '../api/simulate';
import { visibleText } from '../api/visible-text';

const text = z.string().min(1).max(64).overwrite(visibleText);
/** Facts of the chain, without endpoints. */
const factsSchema = chainSchema
  .pick({ slug: true, chainId: true, wrappedNative: true, hardfork: true })
  .extend({
    name: text.optional(),
    nativeSymbol: text,
    /** Set if the blocks are those of a fork of the chain. */
    isFork: z.literal(true).optional(),
  });
const quantitySchema = z.templateLiteral(['0x', z.string().regex(/^[0-9a-f]{1,16}$/)]);
const place = {
  /** Among all analyses of the case. */
  index: z.int().min(0).max(1_000),
  block: z.object({
    number: quantitySchema,
    hash: blockHashSchema,
    /** Of the transaction or simulation in its block. */
    position: z.int().min(0),
  }),
};
const analysisSchema = z.union([
  z.strictObject({ ...place, transaction: hashSchema }),
  z.strictObject({
    ...place,
    simulation: simulateBody,
    title: z.string().max(200).overwrite(visibleText).optional(),
  }),
]);
/** An analysis that a case holds. The height of a simulation is a number. */
export type SubjectAnalysis = z.infer<typeof analysisSchema>;

export const subjectSchema = z.object({
  chain: factsSchema,
  /** The chain or fork by the name that its recorder gave. */
  network: text,
  analyses: z.array(analysisSchema).min(1).max(CONTRACT_LIMITS.caseAnalyses),
  /** Version of Forklens that wrote the file. */
  writtenBy: text,
});
/** What a part of a case is about: analyses on one chain or fork. */
export type CaseSubject = z.infer<typeof subjectSchema>;

/** The chain of a part of an open case. @param explorer where the chain's own addresses are shown, by this service's own configuration */
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

/** The analyses of all parts in the order of the case. @param slugOf names the chain of a part */
export function analysesOf(
  subjects: readonly CaseSubject[],
  slugOf: (subject: CaseSubject, part: number) => string,
): CaseAnalysis[] {
  return subjects
    .flatMap((subject, part) =>
      subject.analyses.map(({ index, ...analysis }) => ({
        index,
        view: { ...analysis, chain: slugOf(subject, part), network: subject.network },
      })),
    )
    .sort((a, b) => a.index - b.index)
    .map(({ view }) => view);
}

/** The block of the first analysis of a part. */
export function blockOf({ analyses }: CaseSubject): SubjectAnalysis['block'] {
  const [first] = analyses;
  if (!first) throw new Error('a part of a case has an analysis');
  return first.block;
}
