import * as l10n from '@vscode/l10n';
import { grouped } from '../../server/client/format';
import type { ApiClient } from '../model/api-client';
import { enterText, pick } from '../ui/quick-input';

/** Blocks after which a value is read: decimal numbers, or `latest`. */
export interface AskedRange {
  readonly from: string;
  readonly to: string;
  /** Number of blocks; undefined where the newest one is not known. */
  readonly length: number | undefined;
}

/** Lengths that are offered, in blocks. */
const LENGTHS = [1_000_000, 100_000, 1_000] as const;

/**
 * Asks in which blocks a change is looked for.
 * @param known the last block, where the value is known to have changed before
 * @throws UserCancelledError
 */
export async function askRange(
  client: ApiClient,
  title: string,
  { chain, to }: { chain: string; to?: number | undefined },
): Promise<AskedRange> {
  const head = to ?? (await headOf(client, chain));
  const end = to === undefined ? 'latest' : String(to);
  const lengths = LENGTHS.filter((length) => head !== undefined && length < head);
  const { value } = await pick({
    title,
    placeholder: l10n.t('Blocks in which the change is looked for'),
    items: Promise.resolve([
      {
        label: l10n.t('All blocks'),
        description:
          head === undefined ? l10n.t('up to the newest one') : l10n.t('0 to {0}', grouped(head)),
        value: '0',
      },
      ...lengths.map((length) => ({
        label: l10n.t('The last {0} blocks', grouped(length)),
        description: l10n.t('from {0}', grouped((head ?? 0) - length)),
        value: String((head ?? 0) - length),
      })),
      { label: l10n.t('From a block…'), description: l10n.t('by its number'), value: '' },
    ]),
  });
  const from = value === '' ? await askBlock(title) : value;
  return { from, to: end, length: head === undefined ? undefined : head - Number(from) };
}

/** Undefined where the node does not say. */
async function headOf(client: ApiClient, chain: string): Promise<number | undefined> {
  const query = { limit: 1 };
  const listed = await client
    .call('listBlocks', { params: { chain }, query })
    .catch(() => undefined);
  return listed?.head;
}

async function askBlock(title: string): Promise<string> {
  const prompt = l10n.t('Number of a block after which the value is read first');
  const text = await enterText({
    title,
    value: '',
    prompt,
    placeholder: '19000000',
    validate: (given) => (/^\s*[\d,_]{1,20}\s*$/.test(given) ? undefined : prompt),
  });
  return text.replace(/[\s,_]/g, '');
}
