import * as z from 'zod';
import { abiItemSchema } from './abi';
import { layoutSchema } from './contract-source';
import { CONTRACT_LIMITS } from './schema-limits';

const CODE = 'runtime code: 0x and an even number of hex digits, with all libraries linked';
const WHOLE = 'a whole number from 0';
const whole = z.int({ error: WHOLE }).min(0, { error: WHOLE });
const ABI = `a JSON ABI of up to ${CONTRACT_LIMITS.abiItems} items`;
const NAMESPACES = 'a list of up to 64 ids of ERC-7201';

/** Compiled code that may take the place of deployed code, as a build writes it. */
export const newCodeSchema = z.strictObject({
  name: z.string().max(256).default('').meta({ description: 'Name of the contract' }),
  code: z
    .string({ error: CODE })
    .regex(/^0x([0-9a-fA-F]{2})+$/, { error: CODE })
    .transform((text) => text.toLowerCase() as `0x${string}`)
    .meta({ type: 'string', description: 'Runtime code, with zeros for immutables' }),
  immutables: z
    .array(
      z.strictObject({
        name: z.string().max(256).default('').meta({ description: 'Empty where unknown' }),
        ranges: z
          .array(
            z.strictObject({
              start: whole.meta({ description: 'Byte of the code' }),
              length: whole.max(32).meta({ description: 'Bytes' }),
            }),
          )
          .meta({ description: 'Where its value is' }),
      }),
    )
    .default([])
    .meta({ description: 'Immutable variables' }),
  abi: z
    .array(abiItemSchema, { error: ABI })
    .max(CONTRACT_LIMITS.abiItems, { error: ABI })
    .meta({ description: 'JSON ABI as compilers write it' }),
  layout: layoutSchema
    .optional()
    .meta({ description: 'Storage layout of the compiler; left out where the build has none' }),
  namespaces: z
    .array(z.string().max(256), { error: NAMESPACES })
    .max(64, { error: NAMESPACES })
    .default([])
    .meta({ description: 'Ids of its ERC-7201 namespaces' }),
});
export type NewCode = z.output<typeof newCodeSchema>;
