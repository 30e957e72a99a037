import * as z from 'zod';
import {
  caseAnalysisSchema,
  caseBlockSchema,
  shownSchema,
  writtenAnalysisSchema,
} from './case-content';
import { CHAIN_ERRORS } from './chain-errors';
import { blockHashSchema, hashSchema, networkSchema } from './primitives';
import { CONTRACT_LIMITS } from './schema-limits';

const none = z.object({});
const FILE = 'an absolute path that ends with .forklens';
const file = z
  .string({ error: FILE })
  .max(4_096, { error: FILE })
  .regex(/^(\/|[A-Za-z]:[\\/]|\\\\)[^\0]*\.forklens$/, { error: FILE })
  .meta({ description: `Of the machine of the service: ${FILE}` });

const prove = z.boolean({ error: 'true or false' }).default(false).meta({
  description: 'Adds the Merkle proofs of the state before (eth_getProof); of one transaction',
});

const caseSchema = z.object({
  id: z.string().meta({ description: 'SHA-256 that names the file, 64 hex digits' }),
  transaction: z.string().optional().meta({
    description: 'Hash, if the first analysis is one of a transaction',
  }),
  block: caseBlockSchema.meta({ description: 'Of the first analysis' }),
  analyses: z.array(caseAnalysisSchema).meta({ description: 'What it holds' }),
  shown: shownSchema.optional(),
  ofChain: z.string().meta({ description: 'Slug of the chain of the first analysis' }),
  chainId: z.int().meta({ description: 'Of the chain of the first analysis' }),
  hasProof: z.boolean().meta({ description: 'Whether it holds the proofs of what it states' }),
});
const openCaseSchema = caseSchema.extend({
  chain: z.string().meta({
    description: 'Names the first chain of the open case, in paths and bodies',
  }),
  online: z.boolean().meta({ description: 'Whether what the file lacks is read from its chain' }),
});
export type OpenCaseView = z.infer<typeof openCaseSchema>;

const writtenSchema = caseSchema.extend({
  file: z.string().meta({ description: 'Path of the file' }),
  bytes: z.int().meta({ description: 'Size of the file' }),
});
export type WrittenCase = z.infer<typeof writtenSchema>;

const HASH = 'the hash of a block: 0x and 64 hex digits';
const verifiedSchema = caseSchema.extend({
  level: z.enum(['executed', 'receipts', 'state']).meta({
    description:
      'executed: executed again with the result that the file states; receipts: transactions and receipts of the block are proved by the hash of the block as well; state: so is all that the execution reads',
  }),
  why: z.string().optional().meta({ description: 'Why the level is not a higher one' }),
  trusted: z.boolean().meta({
    description: 'Whether the hash of the block was given, so that nothing has to be compared',
  }),
});
export type VerifiedCase = z.infer<typeof verifiedSchema>;

/** The routes of `ROUTES` for case files. Files are read and written on the machine of the service, by its local user alone. */
export const CASE_ROUTES = {
  createCase: {
    method: 'post',
    paths: ['/v1/explorer/:chain/transaction/:transaction/case'],
    summary: 'Write a case file of a transaction (ours)',
    scope: 'analyze',
    params: z.object({ chain: networkSchema, transaction: hashSchema }),
    query: none,
    body: z.object({
      file,
      prove,
    }),
    data: writtenSchema,
    errors: [...CHAIN_ERRORS, 'localUserOnly', 'transactionNotFound', 'timedOut'],
  },
  writeCase: {
    method: 'post',
    paths: ['/v1/cases'],
    summary: 'Write a case file of analyses (ours)',
    scope: 'analyze',
    params: none,
    query: none,
    body: z.object({
      file,
      analyses: z
        .array(writtenAnalysisSchema)
        .min(1)
        .max(CONTRACT_LIMITS.caseAnalyses)
        .meta({ description: 'What it holds; of a comparison, the two sides' }),
      shown: shownSchema.optional(),
      prove,
    }),
    data: writtenSchema,
    errors: [...CHAIN_ERRORS, 'localUserOnly', 'transactionNotFound', 'timedOut'],
  },
  openCase: {
    method: 'post',
    paths: ['/v1/case'],
    summary: 'Open a case file as a chain that answers from the file alone (ours)',
    scope: 'analyze',
    params: none,
    query: none,
    body: z.object({
      file,
      online: z.boolean({ error: 'true or false' }).default(false).meta({
        description:
          'Reads what the file lacks from the configured chain of its chain id, and keeps it while the case is open',
      }),
    }),
    data: openCaseSchema,
    errors: ['localUserOnly', 'caseRefused', ...CHAIN_ERRORS],
  },
  verifyCase: {
    method: 'post',
    paths: ['/v1/case/verify'],
    summary: 'Execute a case file again, and check its proofs (ours)',
    scope: 'analyze',
    params: none,
    query: none,
    body: z.object({
      file,
      hash: blockHashSchema
        .optional()
        .meta({ description: `From someone you trust: ${HASH}; another one is refused` }),
    }),
    data: verifiedSchema,
    errors: ['localUserOnly', 'caseRefused', 'timedOut'],
  },
  listCases: {
    method: 'get',
    paths: ['/v1/cases'],
    summary: 'The open case files (ours)',
    scope: 'analyze',
    params: none,
    query: none,
    body: none,
    data: z.array(openCaseSchema),
    errors: [],
  },
  closeCase: {
    method: 'delete',
    paths: ['/v1/case/:case'],
    summary: 'Close a case file; the file stays (ours)',
    scope: 'analyze',
    params: z.object({ case: z.string().meta({ description: 'Its name as a chain' }) }),
    query: none,
    body: none,
    data: z.null(),
    errors: ['localUserOnly', 'caseNotFound'],
  },
} as const;
