import { randomUUID } from 'node:crypto';
import { API_ERRORS, ApiError, type ApiErrorName } from '../api/errors';
import type { Quota, QuotaKind, QuotaLimits } from '../api/quota';
import type { ProjectStore } from './ports';
import {
  LocalLedger,
  type Bound,
  type HeldKind,
  type QuotaLedger,
  type Release,
  type Subject,
} from './quota-ledger';

/** What the forks of a project use. */
export interface ForkUse {
  /** Ids of those that exist. */
  forks: readonly string[];
  runningEngines: number;
  /** As far as the journals were read. */
  diskBytes: number;
}

type ForkUseOf = (projectId: string) => Promise<ForkUse>;

export interface QuotasDependencies {
  limits: { user: QuotaLimits; project: QuotaLimits };
  projects: Pick<ProjectStore, 'findProject' | 'listProjectsOf'>;
  /** Of all nodes of a database. Undefined: there are no other nodes. */
  ledger?: QuotaLedger | undefined;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
}

/** What is known of the space of a project or of its owner. */
interface DiskLook {
  readonly at: number;
  /** Bytes that are left; infinite until it was looked at. */
  room: number;
  /** Bytes that forks of this process have taken since. Some of them may have been counted by the look. */
  grown: number;
  /** Why there was no room. */
  full: ApiError | undefined;
}

/** Age at which the disk use of a project is looked at again, in milliseconds: forks of other nodes take space as well. */
const DISK_AGE_MS = 5_000;
/** Seconds after which something may have ended. */
const RETRY_S = { runningEngines: 5, analyses: 1, forks: undefined };
const MIB = 1024 ** 2;
const NO_USE: ForkUse = { forks: [], runningEngines: 0, diskBytes: 0 };

const ERRORS = {
  forks: 'forkQuota',
  runningEngines: 'engineQuota',
  diskMegabytes: 'diskQuota',
  requestsPerMinute: 'requestQuota',
  analyses: 'analysisQuota',
} as const satisfies Record<QuotaKind, ApiErrorName>;

/** Checks the quotas of users and projects. The user of a project's forks is its owner; of requests and analyses, the caller. */
export class Quotas {
  readonly #ledger: QuotaLedger;
  /** By project. */
  readonly #disks = new Map<string, DiskLook>();
  #forkUseOf: ForkUseOf = () => Promise.resolve(NO_USE);

  constructor(private readonly dependencies: QuotasDependencies) {
    const forksOf = async (subject: Subject): Promise<readonly string[]> =>
      (await this.#forkUse(subject)).forks;
    this.#ledger = dependencies.ledger ?? new LocalLedger(forksOf, dependencies.now);
  }

  /** Counts the forks of projects from now on. Until then, no project has any. */
  countForks(forkUseOf: ForkUseOf): this {
    this.#forkUseOf = forkUseOf;
    return this;
  }

  /**
   * Counts a request.
   * @throws ApiError `requestQuota`
   */
  async request(userId: string, projectId: string | undefined): Promise<void> {
    const bounds = this.#bounds(userId, projectId, 'requestsPerMinute');
    if (bounds.length === 0) return;
    const refusal = await this.#ledger.request(bounds);
    if (refusal) throw usedUp(refusal.refused, 'requestsPerMinute', refusal.seconds);
  }

  /** @throws ApiError `analysisQuota` */
  analysis(userId: string, projectId: string | undefined): Promise<Release> {
    return this.#hold('analyses', randomUUID(), this.#bounds(userId, projectId, 'analyses'));
  }

  /**
   * Admits a new fork, which counts until its creation has ended and from then on as one that exists.
   * @throws ApiError `forkQuota`, `diskQuota`
   */
  async creation(projectId: string, forkId: string): Promise<Release> {
    const { full } = this.#hasDiskQuota ? await this.#lookAtDisk(projectId) : {};
    if (full) throw full;
    return this.#hold('forks', forkId, await this.#boundsOf(projectId, 'forks'));
  }

  /**
   * Admits the engine of a fork, until it has ended.
   * @throws ApiError `engineQuota`
   */
  async wake(projectId: string, forkId: string): Promise<Release> {
    const bounds = await this.#boundsOf(projectId, 'runningEngines');
    return this.#hold('runningEngines', forkId, bounds);
  }

  /**
   * Looks at the disk if what is known of it is used up, and later if that is old.
   * @param grown bytes that a fork of the project has taken since it was asked for last
   * @throws ApiError `diskQuota`
   */
  async requireDisk(projectId: string, grown: number): Promise<void> {
    if (!this.#hasDiskQuota) return;
    let known = this.#disks.get(projectId);
    if (known) known.grown += grown;
    const isOld = !known || this.dependencies.now() - known.at >= DISK_AGE_MS;
    const isUsedUp = !known || known.full !== undefined || known.grown >= known.room;
    if (isUsedUp && (isOld || !known?.full)) known = await this.#lookAtDisk(projectId);
    // The result of a failed look is that of the next one.
    else if (isOld) this.#lookAtDisk(projectId).catch(() => undefined);
    if (known?.full) throw known.full;
  }

  ofUser(userId: string): Promise<Quota> {
    return this.#quota({ kind: 'user', id: userId });
  }

  ofProject(projectId: string): Promise<Quota> {
    return this.#quota({ kind: 'project', id: projectId });
  }

  get #hasDiskQuota(): boolean {
    const { user, project } = this.dependencies.limits;
    return (user.diskMegabytes ?? project.diskMegabytes) !== undefined;
  }

  async #quota(subject: Subject): Promise<Quota> {
    const { runningEngines, diskBytes } = await this.#forkUse(subject);
    const one = (kind: QuotaKind, used: number): Quota[QuotaKind] => ({
      used,
      limit: this.dependencies.limits[subject.kind][kind] ?? null,
    });
    return {
      forks: one('forks', await this.#ledger.count('forks', subject)),
      runningEngines: one('runningEngines', runningEngines),
      diskMegabytes: one('diskMegabytes', Math.round((diskBytes / MIB) * 100) / 100),
      requestsPerMinute: one(
        'requestsPerMinute',
        await this.#ledger.count('requestsPerMinute', subject),
      ),
      analyses: one('analyses', await this.#ledger.count('analyses', subject)),
    };
  }

  async #hold(kind: HeldKind, unit: string, bounds: readonly Bound[]): Promise<Release> {
    if (bounds.length === 0) return () => Promise.resolve();
    const held = await this.#ledger.hold(kind, unit, bounds);
    if (typeof held === 'function') return held;
    throw usedUp(held.refused, kind, RETRY_S[kind]);
  }

  async #lookAtDisk(projectId: string): Promise<DiskLook> {
    const known = this.#disks.get(projectId);
    const at = this.dependencies.now();
    const { room = Infinity, grown = 0, full } = known ?? {};
    const look: DiskLook = { at, room, grown, full };
    this.#disks.set(projectId, look);
    const bounds = await this.#boundsOf(projectId, 'diskMegabytes');
    const rooms = await Promise.all(
      bounds.map(async ({ subject, limit }) => {
        const { diskBytes } = await this.#forkUse(subject);
        return limit * MIB - diskBytes;
      }),
    );
    look.grown -= grown;
    look.room = Math.min(...rooms);
    const bound = bounds[rooms.findIndex((left) => left <= 0)];
    look.full = bound && usedUp(bound, 'diskMegabytes', undefined);
    return look;
  }

  /** Those of the two that have a quota. */
  #bounds(userId: string, projectId: string | undefined, kind: QuotaKind): Bound[] {
    const user: Subject = { kind: 'user', id: userId };
    const both =
      projectId === undefined ? [user] : [user, { kind: 'project', id: projectId } as const];
    return both.flatMap((subject) => {
      const limit = this.dependencies.limits[subject.kind][kind];
      return limit === undefined ? [] : [{ subject, limit }];
    });
  }

  /** The project and its owner, of whom those are left out that have no quota. */
  async #boundsOf(projectId: string, kind: QuotaKind): Promise<Bound[]> {
    const { user, project } = this.dependencies.limits;
    if (user[kind] === undefined && project[kind] === undefined) return [];
    const found = await this.dependencies.projects.findProject(projectId);
    return found ? this.#bounds(found.ownerId, projectId, kind) : [];
  }

  async #forkUse({ kind, id }: Subject): Promise<ForkUse> {
    const { projects } = this.dependencies;
    if (kind === 'project') return this.#forkUseOf(id);
    const owned = (await projects.listProjectsOf(id)).filter(({ ownerId }) => ownerId === id);
    const uses = await Promise.all(owned.map(({ projectId }) => this.#forkUseOf(projectId)));
    const sum = (of: Exclude<keyof ForkUse, 'forks'>): number =>
      uses.reduce((total, one) => total + one[of], 0);
    return {
      forks: uses.flatMap(({ forks }) => forks),
      runningEngines: sum('runningEngines'),
      diskBytes: sum('diskBytes'),
    };
  }
}

function usedUp({ subject, limit }: Bound, kind: QuotaKind, retryAfter?: number): ApiError {
  const error = ERRORS[kind];
  const whose = subject.kind === 'user' ? 'the user' : `project ${subject.id}`;
  return new ApiError(
    error,
    `${whose} has a quota of ${limit} ${WORDS[kind]}, which is used up` +
      (API_ERRORS[error].status === 429 ? '; try again later' : '; delete a fork first'),
    retryAfter === undefined ? {} : { retryAfter },
  );
}

const WORDS: Readonly<Record<QuotaKind, string>> = {
  forks: 'forks',
  runningEngines: 'running engines',
  diskMegabytes: 'MiB on disk',
  requestsPerMinute: 'requests a minute',
  analyses: 'analyses at a time',
};
