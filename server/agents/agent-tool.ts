import pico from 'picocolors';
import * as z from 'zod';
import type { ApiClient } from '../api/client';
import { hashSchema } from '../api/primitives';
import { locateTransaction } from './locate-transaction';

/** What a language model may do with the service, over the Model Context Protocol and in the editor's chat. */
export interface AgentTool<Input extends z.ZodObject = z.ZodObject> {
  /** For the user, in the language of the editor where there is one. */
  readonly title: string;
  /** For the model: what it gives, and when to use it. */
  readonly description: string;
  readonly input: Input;
  /** What the user is asked before it runs, where it changes something. */
  readonly confirmation?: (input: z.output<Input>) => string;
  /** Whether it can discard what is there. */
  readonly isDestructive?: boolean;
  /** @returns text for the model @throws ApiError, ForkRpcError */
  readonly run: (client: ApiClient, input: z.output<Input>, signal: AbortSignal) => Promise<string>;
}

export type AgentTools = Readonly<Record<string, AgentTool>>;

/** Lets the compiler read `run` by the tool's own input. */
export const tool = <Input extends z.ZodObject>(definition: AgentTool<Input>): AgentTool =>
  definition;

export const json = (value: unknown): string => JSON.stringify(value, null, 2);

/** A longer call tree would fill a model's context. */
export const PLAIN_TEXT = { colors: pico.createColors(false), maxRows: 300 } as const;

const CHAIN = 'Slug of a chain (list_chains), or id of a fork (list_projects)';
export const chain = z.string().min(1).meta({ description: CHAIN });
export const fork = z.string().min(1).meta({ description: 'Id of a fork (list_projects)' });
export const transaction = hashSchema.meta({
  description: 'Transaction hash: 0x and 64 hex digits',
});

/** A transaction, and where it is. */
export const located = z.object({
  transaction,
  chain: chain.optional().meta({
    description: `${CHAIN}. Leave it out where it is not known: the transaction is looked for`,
  }),
});

/** @throws ApiError where no chain is named, and none or several have the transaction */
export async function locate(
  client: ApiClient,
  input: z.output<typeof located>,
  signal: AbortSignal,
): Promise<{ chain: string; transaction: string }> {
  const place = input.chain ?? (await locateTransaction(client, input.transaction, signal));
  return { chain: place, transaction: input.transaction };
}
