import type { Log } from '../../contracts/abi/sources';
import type { LabelSource } from '../../analysis/ports';
import { ApiError } from '../../api/errors';
import type { Label } from '../../api/labels';
import { LIMITS } from '../../api/limits';
import type { Address } from '../../api/primitives';
import { ALL_CHAINS, labelKey, type LabelRecord, type Labels, type LabelStore } from './records';

/** User, chain and address that a label applies to. */
export interface GivenLabelKey {
  readonly user: string;
  /** Slug of a chain, or id of a fork; undefined: all. */
  readonly chain?: string | undefined;
  readonly address: Address;
}

/**
 * Labels that users gave to addresses. Only this user's analyses show them. All methods except `labelsOf` throw ApiError `storageDamaged`
 * if the user's labels are damaged and have no intact copy.
 */
export class GivenLabels implements LabelSource {
  constructor(
    private readonly store: LabelStore,
    private readonly log: Log,
  ) {}

  async list(user: string): Promise<Label[]> {
    return [...(await this.store.read(user)).values()].map(toLabel);
  }

  /** @throws ApiError `labelLimit` */
  async put({ user, chain = ALL_CHAINS, address }: GivenLabelKey, name: string): Promise<Label> {
    const label = { address, chain, name };
    await this.store.change(user, (labels) => {
      labels.set(labelKey(chain, address), label);
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
    await this.store.change(user, (labels) => {
      if (labels.delete(labelKey(chain, address))) return;
      const where = chain === ALL_CHAINS ? 'all chains' : chain;
      throw new ApiError('labelNotFound', `you have no label for ${address} on ${where}`);
    });
  }

  async labelsOf(user: string, chains: readonly string[]): Promise<Record<Address, string>> {
    const labels = [...(await this.#readable(user)).values()];
    const named = [ALL_CHAINS, ...chains].flatMap((one) =>
      labels.filter(({ chain }) => chain === one).map(({ address, name }) => [address, name]),
    );
    return Object.fromEntries(named) as Record<Address, string>;
  }

  /** An analysis without labels is still correct. */
  #readable(user: string): Promise<Labels> {
    return this.store.read(user).catch((error: unknown) => {
      this.log.warn({ err: error }, 'the labels of a user are ignored');
      return new Map();
    });
  }
}

const toLabel = ({ address, chain, name }: LabelRecord): Label => ({
  address,
  ...(chain === ALL_CHAINS ? {} : { chain }),
  name,
});
