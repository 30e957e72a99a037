import * as z from 'zod';
import {
  ACTIONS,
  LIST_OF,
  type FromComparison,
  type FromWebview,
  type PartId,
} from '../../media/inspector/protocol/protocol';
import { addressSchema, hashSchema } from '../../server/api/primitives';
import { CONTRACT_LIMITS } from '../../server/api/schema-limits';
import { sourcePlaceSchema } from '../../server/api/source-locations';

const index = z.int().min(0);
const recordedCall = z.object({ call: index });
const part = z.enum(Object.keys(LIST_OF) as [PartId, ...PartId[]]);
const partRequest = z.object({ type: z.enum(['load', 'reload', 'cancel', 'taken']), part });

const text = z.string().max(1_000).exactOptional();
const writtenPart = z.object({
  label: z.string().max(1_000),
  query: z.object({
    address: text,
    of: z.enum(['storage', 'balance', 'nonce', 'code', 'event']).exactOptional(),
    slot: text,
    offset: text,
    length: text,
    asset: text,
    tokenId: text,
    change: text,
    node: text,
  }),
  type: text,
});

const fromWebview = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready') }),
  partRequest,
  z.object({ type: z.literal('title'), method: z.string() }),
  z.object({ type: z.literal('copy'), text: z.string() }),
  z.object({ type: z.literal('copied') }),
  z.object({
    type: z.literal('save'),
    name: z.string(),
    content: z.string(),
    encoding: z.literal('base64').exactOptional(),
  }),
  z.object({
    type: z.literal('savePage'),
    name: z.string(),
    data: z.string(),
    look: z.object({
      variables: z.record(z.string(), z.string()),
      bodyClasses: z.array(z.string()),
    }),
  }),
  z.object({
    type: z.literal('openExplorer'),
    page: z.object({ kind: z.enum(['transaction', 'address', 'block']), id: z.string() }),
  }),
  z.object({ type: z.literal('openSource'), place: sourcePlaceSchema }),
  z.object({ type: z.literal('openTransaction'), transaction: hashSchema }),
  z.object({
    type: z.literal('whenChanged'),
    expression: z.string().min(1).max(CONTRACT_LIMITS.expressionLength),
    contract: addressSchema.exactOptional(),
  }),
  z.object({ type: z.literal('run'), action: z.enum(ACTIONS) }),
  z.object({
    type: z.literal('debug'),
    from: z.union([index, z.literal('failure'), recordedCall]),
  }),
  z.object({ type: z.literal('goToWriter'), written: writtenPart }),
  z.object({ type: z.literal('moveDebugger'), to: z.union([index, recordedCall]) }),
]) satisfies z.ZodType<FromWebview>;

const fromComparison = z.object({
  type: z.literal('side'),
  side: z.enum(['left', 'right']),
  request: partRequest,
}) satisfies z.ZodType<FromComparison>;

/**
 * Validates a message of the inspector's document. The document shows untrusted text, so the host acts only on messages of the protocol.
 * @returns undefined for any other message
 */
export const readWebviewMessage = (message: unknown): FromWebview | undefined =>
  fromWebview.safeParse(message).data;

/** Validates a message of a comparison's document. */
export const readComparisonMessage = (message: unknown): FromWebview | FromComparison | undefined =>
  fromComparison.safeParse(message).data ?? readWebviewMessage(message);
