import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import PQueue from 'p-queue';
import * as z from 'zod';
import type { LabelSource } from '../../analysis/ports';
import { ApiError } from '../../api/errors';
import type { Label } from '../../api/labels';
import type { Address } from '../../api/primitives';
import { GuardedFile } from '../../files/guarded-file';
import { LIMITS } from '../../api/limits';
import { usable } from './damaged-file';
import type { Log } from '../../abi/sources';

const ALL_CHAINS = '';

const labelRecords = z.array(
  z.object({ address: z.string(), chain: z.string(), name: z.string() }),
);
/** Older versions wrote only the list. */
const recordSchema = z.union([
  labelRecords,
  z.object({ labels: labelRecords }).transform(({ labels }) => labels),
]);
type LabelRecord = z.infer<typeof labelRecords>[number];

/** User, chain and address that a label applies to. */
export interface GivenLabelKey {
  readonly user: string;
  /** Slug of a chain, or id of a fork; undefined: all. */
  readonly chain?: string | undefined;
  readonly address: Address;
}

/**
 * Labels that users gave to addresses: one file per user. Only this user's analyses show them. All methods except `labelsOf` throw
 * ApiError `storageDamaged` if the user's file is damaged and has no intact copy.
 */
export class GivenLabels implements LabelSource {
  /** Cache of the files by user: labels by chain and address, oldest first. */
  private readonly known = new Map<string, Promise<ReadonlyMap<string, LabelRecord>>>();
  private readonly writes = new PQueue({ concurrency: 1 });

  constructor(
    private readonly folder: string,
    private readonly log: Log,
  ) {}

  async list(user: string): Promise<Label[]> {
    return [...(await this.of(user)).values()].map(toLabel);
  }

  /** @throws ApiError `labelLimit` */
  async put({ user, chain = ALL_CHAINS, address }: GivenLabelKey, name: string): Promise<Label> {
    const label = { address, chain, name };
    await this.change(user, (labels) => {
      labels.set(keyOf(chain, address), label);
      if (labels.size > LIMITS.labels) {
        throw new ApiError(
          'labelLimit',
          `you have ${LIMITS.labels} labels, which is the limit; delete one first`,
        );
      }
    });
    return toLabel(label);
  }

  /** @throws ApiError `labelNotFound` */
  async delete({ user, chain = ALL_CHAINS, address }: GivenLabelKey): Promise<void> {
    await this.change(user, (labels) => {
      if (labels.delete(keyOf(chain, address))) return;
      const where = chain === ALL_CHAINS ? 'all chains' : chain;
      throw new ApiError('labelNotFound', `you have no label for ${address} on ${where}`);
    });
  }

  async labelsOf(user: string, chains: readonly string[]): Promise<Record<Address, string>> {
    const labels = [...(await this.readable(user)).values()];
    const named = [ALL_CHAINS, ...chains].flatMap((one) =>
      labels.filter(({ chain }) => chain === one).map(({ address, name }) => [address, name]),
    );
    return Object.fromEntries(named) as Record<Address, string>;
  }

  private async change(
    user: string,
    edit: (labels: Map<string, LabelRecord>) => void,
  ): Promise<void> {
    await this.writes.add(async () => {
      const labels = new Map(await this.of(user));
      edit(labels);
      await mkdir(this.folder, { recursive: true, mode: 0o700 });
      const file = this.fileOf(user);
      await file.write(JSON.stringify({ labels: [...labels.values()] }));
      this.known.set(user, Promise.resolve(labels));
      await file.settled();
    });
  }

  /** An analysis without labels is still correct. */
  private readable(user: string): Promise<ReadonlyMap<string, LabelRecord>> {
    return this.of(user).catch((error: unknown) => {
      this.log.warn({ err: error }, 'the labels of a user are ignored');
      return new Map();
    });
  }

  private of(user: string): Promise<ReadonlyMap<string, LabelRecord>> {
    let labels = this.known.get(user);
    if (!labels) {
      // A repaired file is read again.
      labels = this.read(user).catch((error: unknown) => {
        this.known.delete(user);
        throw error;
      });
      this.known.set(user, labels);
    }
    return labels;
  }

  private async read(user: string): Promise<ReadonlyMap<string, LabelRecord>> {
    const file = this.fileOf(user);
    const labels = (await usable(file.read())) ?? [];
    await file.settled();
    return new Map(labels.map((label) => [keyOf(label.chain, label.address), label]));
  }

  private fileOf(user: string): GuardedFile<LabelRecord[]> {
    return new GuardedFile(join(this.folder, `${user}.json`), {
      parse: parseLabels,
      warn: this.log.warn.bind(this.log),
    });
  }
}

/** Parses a file of labels. @throws ZodError, SyntaxError */
export const parseLabels = (text: string): LabelRecord[] => recordSchema.parse(JSON.parse(text));

const keyOf = (chain: string, address: string): string => `${chain} ${address}`;

const toLabel = ({ address, chain, name }: LabelRecord): Label => ({
  address,
  ...(chain === ALL_CHAINS ? {} : { chain }),
  name,
});
