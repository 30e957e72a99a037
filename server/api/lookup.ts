import * as z from 'zod';
import { ACTIVITY_ROUTES } from './activity';
import { CHAIN_EXPLORER_ROUTES } from './chain-explorer';
import { DECODE_ROUTES } from './decode';
import { addressSchema, hashSchema, networkSchema } from './primitives';
import { disputedDecimalsSchema } from './summary';
import { TOKEN_BALANCE_ROUTES } from './token-balances';

const none = z.object({});

const foundSchema = z.object({
  kind: z.enum(['fork', 'chain']).meta({ description: 'What has the transaction' }),
  chain: z.string().meta({ description: 'Slug of the chain, or id of the fork' }),
  name: z.string().meta({ description: 'Of the chain or fork, for people' }),
  blockNumber: z.int().nullable().meta({ description: 'null while it is pending' }),
});
/** A chain or fork that contains a transaction. */
export type FoundTransaction = z.infer<typeof foundSchema>;

const foundTransactionsSchema = z.object({
  places: z.array(foundSchema).meta({ description: 'Forks first' }),
  unanswered: z.array(z.string()).meta({
    description: 'Slugs and fork ids that gave no answer in time: it may be there as well',
  }),
  notAsked: z.array(z.string()).meta({
    description:
      'Slugs of chains that have public endpoints only: they are asked where `chains` names them',
  }),
});
export type FoundTransactions = z.infer<typeof foundTransactionsSchema>;

const addressFactsSchema = z.object({
  address: z.string().meta({ description: 'The address that was asked for, lower case' }),
  chain: z.string().meta({ description: 'Slug of the chain, or id of the fork' }),
  blockNumber: z.int().meta({ description: 'Block after which the facts hold: the newest' }),
  kind: z
    .enum(['account', 'contract', 'delegated'])
    .meta({ description: 'delegated: an account that runs the code of a contract (EIP-7702)' }),
  name: z.string().meta({ description: 'Your label, or what it is known as; empty where unknown' }),
  balance: z.string().meta({ description: 'Ether, plain decimal' }),
  nativeSymbol: z.string().meta({ description: 'Of the native asset of the chain' }),
  nonce: z.int().meta({ description: 'Transactions sent, or contracts created, by the address' }),
  codeSize: z.int().meta({ description: 'Bytes of its code; 0 for none' }),
  token: z
    .object({
      symbol: z.string().optional().meta({ description: 'Left out where the token has none' }),
      decimals: z.int().optional().meta({ description: 'Left out where the token has none' }),
      source: z.enum(['chain', 'list']).optional().meta({
        description:
          'chain: the token itself answered; list: it did not, and a list of well-known tokens says so',
      }),
      disputedDecimals: disputedDecimalsSchema.optional(),
    })
    .optional()
    .meta({ description: 'What it says as a token; left out where it does not answer as one' }),
});
export type AddressFacts = z.infer<typeof addressFactsSchema>;

const CHAINS = 'slugs of configured chains, by commas';

/** The routes of `ROUTES` that walk a chain, and that identify data, a hash or an address. */
export const LOOKUP_ROUTES = {
  ...CHAIN_EXPLORER_ROUTES,
  ...ACTIVITY_ROUTES,
  ...DECODE_ROUTES,
  ...TOKEN_BALANCE_ROUTES,
  findTransaction: {
    method: 'get',
    paths: ['/v1/explorer/transactions/:transaction'],
    summary: 'The running forks and the chains that have a transaction (ours)',
    scope: 'analyze',
    params: z.object({ transaction: hashSchema }),
    query: z.object({
      chains: z
        .string({ error: CHAINS })
        .regex(/^[a-z0-9.,-]*$/, { error: CHAINS })
        .optional()
        .meta({
          description:
            'Slugs by commas: these alone are asked, besides the forks; omitted: all chains with an endpoint of your own',
        }),
    }),
    body: none,
    data: foundTransactionsSchema,
    errors: ['chainNotFound'],
  },
  getAddress: {
    method: 'get',
    paths: ['/v1/explorer/:chain/address/:address'],
    summary: 'Kind, name and balance of an address on a chain or fork (ours)',
    scope: 'analyze',
    params: z.object({
      chain: networkSchema,
      address: addressSchema,
    }),
    query: none,
    body: none,
    data: addressFactsSchema,
    errors: ['chainNotFound', 'upstreamUnreachable', 'upstreamLacksData', 'engineUnavailable'],
  },
} as const;
