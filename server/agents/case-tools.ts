import * as l10n from '@vscode/l10n';
import * as z from 'zod';
import { writtenAnalysisSchema, type CaseShown } from '../api/case-content';
import { blockHashSchema } from '../api/primitives';
import { CONTRACT_LIMITS } from '../api/schema-limits';
import { sessionShown } from '../client/case-breakpoint';
import { caseFileOf, newCaseFileOf } from '../client/case-paths';
import { shortHex } from '../client/format';
import { chain, json, locate, located, tool, transaction, type AgentTools } from './agent-tool';

const file = z
  .string()
  .min(1)
  .max(4_096)
  .meta({ description: 'Path that ends with .forklens, in a folder of the workspace' });

const analysis = z
  .object({
    chain,
    transaction: transaction.optional(),
    simulation: z
      .record(z.string(), z.unknown())
      .optional()
      .meta({ description: 'Body of a simulation in place of a transaction: from, to, data…' }),
  })
  .refine(
    ({ transaction: hash, simulation: body }) => (hash === undefined) !== (body === undefined),
    {
      error: 'has one of "transaction" and "simulation"',
    },
  );

function shownBy({
  shows,
  breakpoints = [],
  step,
}: {
  shows: 'analysis' | 'comparison' | 'debugger';
  breakpoints?: string[] | undefined;
  step?: number | undefined;
}): CaseShown | undefined {
  if (shows === 'analysis') return undefined;
  return shows === 'comparison' ? { kind: shows } : sessionShown(breakpoints, step);
}

/** Tools for case files. They read and write files in the folders of the user's workspace alone. */
export const CASE_TOOLS: AgentTools = {
  create_case: tool({
    title: l10n.t('Write case file'),
    description:
      'Writes a case file: one transaction with all that is read about it, so that it can be analyzed, debugged and forked elsewhere without a network. An existing file is not replaced.',
    input: located.extend({
      file,
      prove: z
        .boolean()
        .default(false)
        .meta({ description: 'Adds Merkle proofs of the state before, for verify_case' }),
    }),
    confirmation: ({ transaction, file: path }) =>
      l10n.t('Write the case of transaction {0} into the file {1}?', shortHex(transaction), path),
    run: async (client, input, signal, folders) => {
      const path = await newCaseFileOf(input.file, folders ?? []);
      const params = await locate(client, input, signal);
      const body = { file: path, prove: input.prove };
      const written = await client.call('createCase', { params, body }, { signal });
      return json({ ...written, file: input.file });
    },
  }),

  write_case: tool({
    title: l10n.t('Write case file of analyses'),
    description:
      'Writes a case file of simulations, of a comparison of two analyses, or of a debugger session with its breakpoints. An existing file is not replaced.',
    input: z.object({
      file,
      analyses: z.array(analysis).min(1).max(CONTRACT_LIMITS.caseAnalyses),
      shows: z.enum(['analysis', 'comparison', 'debugger']).default('analysis'),
      breakpoints: z
        .array(z.string().min(1).max(1_100))
        .max(CONTRACT_LIMITS.breakpoints)
        .optional()
        .meta({ description: 'For debugger: <file as compiled>:<line>, or names of functions' }),
      step: z.int().min(0).optional().meta({ description: 'For debugger: step to begin at' }),
    }),
    confirmation: ({ file: path, analyses }) =>
      l10n.t('Write a case of analyses ({0}) into the file {1}?', analyses.length, path),
    run: async (client, { file: given, analyses, ...session }, signal, folders) => {
      const path = await newCaseFileOf(given, folders ?? []);
      const shown = shownBy(session);
      const body = {
        file: path,
        analyses: analyses.map((one) => writtenAnalysisSchema.parse(one)),
        ...(shown && { shown }),
      };
      const written = await client.call('writeCase', { body }, { signal });
      return json({ ...written, file: given });
    },
  }),

  open_case: tool({
    title: l10n.t('Open case file'),
    description:
      'Opens a case file as a chain that answers from the file alone. Other tools then take the returned chain and transaction.',
    input: z.object({ file }),
    confirmation: ({ file: path }) =>
      l10n.t('Open the case file {0}? What it holds was written by its sender.', path),
    run: async (client, input, signal, folders) => {
      const body = { file: await caseFileOf(input.file, folders ?? []), online: false };
      return json(await client.call('openCase', { body }, { signal }));
    },
  }),

  verify_case: tool({
    title: l10n.t('Verify case file'),
    description:
      'Executes the transaction of a case file again, and checks its proofs. Says which level it reached: executed, receipts or state, and why not a higher one.',
    input: z.object({
      file,
      hash: blockHashSchema.optional().meta({
        description: 'Hash of the block from someone the user trusts; another one is refused',
      }),
    }),
    run: async (client, { file: given, hash }, signal, folders) => {
      const path = await caseFileOf(given, folders ?? []);
      const body = hash === undefined ? { file: path } : { file: path, hash };
      return json(await client.call('verifyCase', { body }, { signal }));
    },
  }),
};
