import * as z from 'zod';
import { httpUrl, slugSchema } from './config';

/** What a JSON-RPC endpoint is, and what it can do for forks and analyses. */
export const endpointReportSchema = z.object({
  chainId: z.int(),
  /** `web3_clientVersion`; empty where it does not say. */
  client: z.string(),
  blockNumber: z.int(),
  /** Of one small request, milliseconds: the median of several. */
  latencyMs: z.number(),
  /** How far back it has state, in blocks: `blockNumber` for an archive node, 0 where even recent state is missing. */
  stateDepth: z.int(),
  /** Whether it traces transactions (`debug_traceTransaction`). Without, they are executed again locally. */
  debugApi: z.boolean(),
});
export type EndpointReport = z.infer<typeof endpointReportSchema>;

/** An endpoint that a user adds to a chain of the configuration, or that makes a new chain. The URL may hold a key. */
export const endpointSchema = z.object({
  slug: slugSchema,
  chainId: z.int().positive(),
  url: httpUrl,
});
export type Endpoint = z.infer<typeof endpointSchema>;

/**
 * Commands on the endpoints of a running service, for the editor and the command line on the same machine: over `/admin`, by
 * the token of the data directory. Nothing of them is written anywhere.
 */
export const ENDPOINT_COMMANDS = {
  checkEndpoint: { input: z.object({ url: httpUrl }), output: endpointReportSchema },
  addEndpoint: { input: endpointSchema, output: z.null() },
  removeEndpoint: { input: z.object({ slug: slugSchema }), output: z.null() },
} as const;

export type EndpointCommand = keyof typeof ENDPOINT_COMMANDS;

/** `archive node, debug API, 45 ms`: what a user wants to know of an endpoint. */
export function endpointInWords({
  blockNumber,
  stateDepth,
  debugApi,
  latencyMs,
}: EndpointReport): string {
  const state =
    stateDepth === blockNumber
      ? 'archive node'
      : stateDepth === 0
        ? 'no state of earlier blocks'
        : `state of the last ${stateDepth.toLocaleString('en-US')} blocks at least`;
  return `${state}, ${debugApi ? 'debug API' : 'no debug API'}, ${latencyMs} ms`;
}
