import * as z from 'zod';
import { CHAIN_ERRORS } from './chain-errors';
import { newCodeSchema } from './new-code';
import { addressSchema, networkSchema } from './primitives';

export const upgradeCheckBody = z.strictObject({
  newCode: newCodeSchema.meta({ description: 'The next implementation' }),
});

const itemSchema = z.object({
  level: z.enum(['error', 'warning', 'unknown', 'info']).meta({
    description:
      'error: the upgrade breaks something; warning: it changes something; unknown: it could not be checked; info: a fact',
  }),
  subject: z
    .enum([
      'layout',
      'namespaces',
      'initializers',
      'functions',
      'events',
      'code',
      'immutables',
      'authority',
    ])
    .meta({ description: 'What it concerns' }),
  text: z.string().meta({ description: 'In words' }),
  variable: z.string().optional().meta({ description: 'State variable' }),
  slot: z.string().optional().meta({ description: 'Its slot in the proxy, 0x hex' }),
  value: z.string().optional().meta({ description: 'Its live value, or the word of its slot' }),
});

export const upgradeCheckSchema = z.object({
  proxy: z.string().meta({ description: 'Address, lower case' }),
  implementation: z.string().meta({ description: 'Of the proxy now' }),
  name: z.string().meta({ description: 'Of the implementation; empty where unknown' }),
  newName: z.string().meta({ description: 'Of the new code' }),
  blockNumber: z.int().meta({ description: 'Block after which the chain was read' }),
  isSafe: z.boolean().meta({ description: 'Whether there is no error and nothing unknown' }),
  items: z.array(itemSchema).meta({ description: 'The worst first' }),
});
export type UpgradeItem = z.infer<typeof itemSchema>;
export type UpgradeCheck = z.infer<typeof upgradeCheckSchema>;

/** The routes of `ROUTES` that check upgrades. */
export const UPGRADE_ROUTES = {
  checkUpgrade: {
    method: 'post',
    paths: ['/v1/explorer/:chain/address/:address/upgrade-check'],
    summary: 'What an upgrade of a proxy to new code would break (ours)',
    scope: 'analyze',
    params: z.object({ chain: networkSchema, address: addressSchema }),
    query: z.object({}),
    body: upgradeCheckBody,
    data: upgradeCheckSchema,
    errors: CHAIN_ERRORS,
  },
} as const;
