import * as z from 'zod';
import { CHAIN_ERRORS } from './chain-errors';
import { addressSchema, networkSchema } from './primitives';
import { CONTRACT_LIMITS } from './schema-limits';

const MOST = CONTRACT_LIMITS.balanceTokens;
const TOKENS = `up to ${MOST} addresses, by commas`;

const tokenBalanceSchema = z.object({
  token: z.string().meta({ description: 'Token contract' }),
  symbol: z.string().optional().meta({ description: 'Left out where the token has none' }),
  decimals: z.int().optional().meta({ description: 'Left out where they are unknown' }),
  rawAmount: z.string().meta({
    description: 'In the smallest unit, plain decimal; of ERC-721 the number of tokens',
  }),
  amount: z.string().meta({ description: 'By decimals; empty where they are unknown' }),
  isListed: z
    .literal(true)
    .optional()
    .meta({ description: 'A list of well-known tokens of the chain contains it' }),
});

const tokenBalancesSchema = z.object({
  address: z.string().meta({ description: 'The address that was asked for, lower case' }),
  chain: z.string().meta({ description: 'Slug of the chain, or id of the fork' }),
  blockNumber: z.int().meta({ description: 'Block after which the balances hold: the newest' }),
  balances: z
    .array(tokenBalanceSchema)
    .meta({ description: 'Those that are not 0; well-known tokens first' }),
  asked: z.int().meta({ description: 'Number of contracts that were asked' }),
  unanswered: z.int().meta({
    description: 'Number of those that gave no balance: no tokens, or a node that did not answer',
  }),
});
export type TokenBalances = z.infer<typeof tokenBalancesSchema>;

/** The route of `ROUTES` that reads balances of tokens. */
export const TOKEN_BALANCE_ROUTES = {
  getTokenBalances: {
    method: 'get',
    paths: ['/v1/explorer/:chain/address/:address/tokens'],
    summary: 'Balances of an address in the known tokens of a chain, and in those named (ours)',
    scope: 'analyze',
    params: z.object({ chain: networkSchema, address: addressSchema }),
    query: z.object({
      tokens: z
        .string({ error: TOKENS })
        .regex(new RegExp(`^0x[0-9a-fA-F]{40}(,0x[0-9a-fA-F]{40}){0,${MOST - 1}}$`), {
          error: TOKENS,
        })
        .optional()
        .meta({ description: 'Further contracts to ask, by commas' }),
    }),
    body: z.object({}),
    data: tokenBalancesSchema,
    errors: CHAIN_ERRORS,
  },
} as const;
