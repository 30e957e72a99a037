import { toEventSelector } from 'viem';
import { topicSchema, type Hash } from '../../server/api/primitives';
import { parseSignature } from '../../server/client/abi-signature';
import { shortHex } from '../../server/client/format';

/** @returns undefined for a text that is neither a signature of an event nor a topic */
export function topicOf(text: string): { topic: Hash; name: string } | undefined {
  const topic = topicSchema.safeParse(text.trim());
  if (topic.success) return { topic: topic.data, name: shortHex(topic.data) };
  const item = parseSignature(text, 'event');
  return item?.type === 'event' ? { topic: toEventSelector(item), name: item.name } : undefined;
}
