import * as z from 'zod';
import { ACTIVITY_ROUTES, type BlockMarker } from '../../server/api/activity';
import { CONTRACT_LIMITS } from '../../server/api/schema-limits';
import { watchKey, type Watch } from '../model/watch';
import { WATCHES_KEY } from './watches-key';

/** A store that outlives the window; `vscode.Memento` is one. */
export interface WatchMemory {
  get(key: string): unknown;
  update(key: string, value: unknown): Thenable<void>;
}

const { after: marker, watches } = ACTIVITY_ROUTES.findActivity.body.shape;
const text = z.string().min(1).max(200);
const keptSchema = z.object({
  service: text,
  watch: z.object({
    chain: text,
    place: text,
    project: text.optional(),
    name: text,
    watched: watches.element,
  }),
});
interface Kept {
  service: string;
  watch: Watch;
}
/** The block up to which a chain was looked at. */
type Marks = Record<string, BlockMarker>;

const MARKS_KEY = 'forklens.watchedBlocks';

/** The watches of this workspace and the blocks up to which they were followed, kept over restarts. It holds no secrets. */
export class KeptWatches {
  /** @param service id of the service in use: a chain's slug may mean another chain on another service */
  constructor(
    private readonly memory: WatchMemory,
    private readonly service: () => string,
  ) {}

  list(): Watch[] {
    return this.#all().flatMap(({ service, watch }) => (service === this.service() ? watch : []));
  }

  /** @returns false for a watch that is kept already, and where the chain has as many as a request takes */
  add(watch: Watch): 'added' | 'known' | 'full' {
    const own = this.list();
    if (own.some((one) => watchKey(one) === watchKey(watch))) return 'known';
    const ofChain = own.filter(({ chain }) => chain === watch.chain);
    if (ofChain.length >= CONTRACT_LIMITS.watches || own.length >= MAX_WATCHES) return 'full';
    this.#save([...this.#all(), { service: this.service(), watch }]);
    return 'added';
  }

  remove(watch: Watch): void {
    const service = this.service();
    const left = this.#all().filter(
      (one) => one.service !== service || watchKey(one.watch) !== watchKey(watch),
    );
    this.#save(left);
    if (!this.list().some(({ chain }) => chain === watch.chain)) this.mark(watch.chain, undefined);
  }

  marked(chain: string): BlockMarker | undefined {
    const found = marker.safeParse(this.#marks()[this.#markKey(chain)]);
    return found.success ? found.data : undefined;
  }

  mark(chain: string, block: BlockMarker | undefined): void {
    const own = this.#markKey(chain);
    const others = Object.entries(this.#marks()).filter(([key]) => key !== own);
    const marks = block === undefined ? others : [...others, [own, block]];
    void this.memory.update(MARKS_KEY, Object.fromEntries(marks));
  }

  #markKey = (chain: string): string => `${this.service()} ${chain}`;

  #marks(): Partial<Marks> {
    const kept = this.memory.get(MARKS_KEY);
    return typeof kept === 'object' && kept !== null ? kept : {};
  }

  /** Another version of the extension may have written something else. */
  #all(): Kept[] {
    const kept = this.memory.get(WATCHES_KEY);
    return Array.isArray(kept)
      ? kept.flatMap((one) => {
          const read = keptSchema.safeParse(one);
          return read.success ? (read.data as Kept) : [];
        })
      : [];
  }

  #save(kept: readonly Kept[]): void {
    void this.memory.update(WATCHES_KEY, kept);
  }
}

/** Watches of a service in a workspace. */
const MAX_WATCHES = 100;
