import pico from 'picocolors';
import * as z from 'zod';
import type { ApiClient } from '../api/client';
import { hashSchema } from '../api/primitives';
import { escapedJson } from '../api/visible-text';
import { locateTransaction } from './locate-transaction';
import { firstEntries } from './first-entries';
import { UNTRUSTED } from './untrusted';

/** An operation of the service for language models, over the Model Context Protocol and in the editor's chat. */
export interface AgentTool<Input extends z.ZodObject = z.ZodObject> {
  /** For the user, in the editor's language if there is an editor. */
  readonly title: string;
  /** For the model: the result and when to use the tool. */
  readonly description: string;
  readonly input: Input;
  /** The question to the user before a tool that changes something runs. */
  readonly confirmation?: (input: z.output<Input>) => string;
  /** Whether it can discard existing data. */
  readonly isDestructive?: boolean;
  /**
   * @param folders absolute paths of the folders whose files the tools may read and write; none if left out
   * @returns text for the model
   * @throws ApiError, ForkRpcError
   */
  readonly run: (
    client: ApiClient,
    input: z.output<Input>,
    signal: AbortSignal,
    folders?: readonly string[],
  ) => Promise<string>;
}

export type AgentTools = Readonly<Record<string, AgentTool>>;

/** Lets the compiler infer the input type of `run`, and says in the description which texts are data. */
export const tool = <Input extends z.ZodObject>(definition: AgentTool<Input>): AgentTool => {
  const completed: AgentTool<Input> = {
    ...definition,
    description: `${definition.description} ${UNTRUSTED}`,
  };
  return completed;
};

/** JSON for a model, without what would fill its context. */
export const json = (value: unknown): string =>
  escapedJson(JSON.stringify(firstEntries(value), null, 2));

/** A longer call tree would fill the model's context. */
export const PLAIN_TEXT = {
  colors: pico.createColors(false),
  maxRows: 300,
  isForModel: true,
} as const;

const CHAIN = 'Slug of a chain (list_chains), or id of a fork (list_projects)';
export const chain = z.string().min(1).meta({ description: CHAIN });
export const fork = z.string().min(1).meta({ description: 'Id of a fork (list_projects)' });
export const transaction = hashSchema.meta({
  description: 'Transaction hash: 0x and 64 hex digits',
});

/** A transaction and its chain. */
export const located = z.object({
  transaction,
  chain: chain.optional().meta({
    description: `${CHAIN}. Leave it out where it is not known: the transaction is looked for`,
  }),
});

/** @throws ApiError if no chain is given, and no chain or more than one contains the transaction */
export async function locate(
  client: ApiClient,
  input: z.output<typeof located>,
  signal: AbortSignal,
): Promise<{ chain: string; transaction: string }> {
  const place = input.chain ?? (await locateTransaction(client, input.transaction, signal));
  return { chain: place, transaction: input.transaction };
}
