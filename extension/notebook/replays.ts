import type { RouteRequest } from '../../server/api/routes';

/** New code that a cell executed transactions of a contract with. */
export interface Replay {
  readonly chain: string;
  readonly address: string;
  readonly newCode: RouteRequest<'regress'>['body']['newCode'];
}

/** Older ones are forgotten: their code may have 24 kB. */
const MOST = 200;

/** What shown outputs were made with, so that their results can be compared later. Outputs do not outlive the window. */
export class Replays {
  readonly #ids = new WeakMap<Replay, number>();
  readonly #byId = new Map<number, Replay>();
  #last = 0;

  idOf(replay: Replay): number {
    const known = this.#ids.get(replay);
    if (known !== undefined) return known;
    const id = ++this.#last;
    this.#ids.set(replay, id);
    this.#byId.set(id, replay);
    this.#byId.delete(id - MOST);
    return id;
  }

  get(id: unknown): Replay | undefined {
    return typeof id === 'number' ? this.#byId.get(id) : undefined;
  }
}
