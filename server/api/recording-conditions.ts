import * as z from 'zod';
import { variableSchema } from './recording';
import { sourcePlaceSchema } from './source-locations';

const COMPARISONS = ['==', '!=', '<', '>', '<=', '>='] as const;

const partSchema = z.object({
  text: z.string().meta({ description: 'As written in the source' }),
  isTrue: z.boolean().meta({ description: 'Its value' }),
  relation: z.enum(COMPARISONS).optional().meta({
    description:
      'Of a comparison: what holds between its two operands, such as < where >= is false',
  }),
  operands: z.array(variableSchema).meta({
    description:
      'Of a comparison both sides; otherwise the keys, indexes or arguments that are known; `name` is the expression',
  }),
});

/** The conditions of the source that made the calls of a failed transaction fail. */
export const failedConditionsSchema = z.object({
  conditions: z
    .array(
      z.object({
        nodeId: z.int().optional().meta({ description: 'Its call of the invocation flow' }),
        kind: z
          .enum(['require', 'assert', 'revert'])
          .meta({ description: 'revert: the condition of an `if` around a `revert`' }),
        text: z.string().meta({ description: 'The condition as written in the source' }),
        isTrue: z.boolean().meta({ description: 'Its value: of require and assert false' }),
        place: sourcePlaceSchema.meta({ description: 'Of the condition' }),
        parts: z.array(partSchema).meta({
          description:
            'The parts of the condition that decided it, with their values; empty where these are not proved',
        }),
      }),
    )
    .meta({
      description:
        'Of the failed calls from the innermost to the top call, without those that passed a failure on, and without those whose condition is not proved',
    }),
});

export type FailedConditions = z.infer<typeof failedConditionsSchema>;
export type FailedCondition = FailedConditions['conditions'][number];
export type ConditionPart = z.infer<typeof partSchema>;
export type Comparison = (typeof COMPARISONS)[number];
