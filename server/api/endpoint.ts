import * as z from 'zod';
import { endpointHeadersSchema, endpointUrl, slugSchema } from './config';

/** Identity and capabilities of a JSON-RPC endpoint. */
export const endpointReportSchema = z.object({
  chainId: z.int(),
  /** `web3_clientVersion`; empty if the endpoint does not report it. */
  client: z.string(),
  blockNumber: z.int(),
  /** Median latency of several small requests, in milliseconds. */
  latencyMs: z.number(),
  /** Age of the oldest available state, in blocks: `blockNumber` for an archive node, 0 if even recent state is missing. */
  stateDepth: z.int(),
  /** Whether it traces transactions (`debug_traceTransaction`). If not, they are executed again locally. */
  debugApi: z.boolean(),
});
export type EndpointReport = z.infer<typeof endpointReportSchema>;

/** An endpoint that a user adds to a configured chain, or that defines a new chain. The URL and the headers may contain keys. */
export const endpointSchema = z.object({
  slug: slugSchema,
  chainId: z.int().positive(),
  url: endpointUrl,
  headers: endpointHeadersSchema.optional(),
});
export type Endpoint = z.infer<typeof endpointSchema>;

/**
 * Commands for the endpoints of a running service, over `/admin` with the token of the data directory. The editor and the command line on
 * the same machine use them. They write nothing to disk.
 */
export const ENDPOINT_COMMANDS = {
  checkEndpoint: {
    input: z.object({ url: endpointUrl, headers: endpointHeadersSchema.optional() }),
    output: endpointReportSchema,
  },
  addEndpoint: { input: endpointSchema, output: z.null() },
  removeEndpoint: { input: z.object({ slug: slugSchema }), output: z.null() },
} as const;

export type EndpointCommand = keyof typeof ENDPOINT_COMMANDS;

/** `archive node, debug API, 45 ms`: a summary of an endpoint for the user. */
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
