import { API_ERRORS, ApiError, type ApiErrorName } from '../api/errors';
import type { Quota, QuotaKind, QuotaLimits } from '../api/quota';
import type { ProjectStore } from './ports';

/** What the forks of a project use. */
export interface ForkUse {
  forks: number;
  runningEngines: number;
  /** As far as the journals were read. */
  diskBytes: number;
}

export interface QuotasDependencies {
  limits: { user: QuotaLimits; project: QuotaLimits };
  projects: Pick<ProjectStore, 'findProject' | 'listProjectsOf'>;
  forkUseOf: (projectId: string) => Promise<ForkUse>;
  /** Milliseconds of a clock that never goes back. */
  now: () => number;
}

/** Ends what an admission began. May be called once. */
export type Release = () => void;

/** A user or a project. */
interface Subject {
  kind: 'user' | 'project';
  id: string;
}

const WINDOW_MS = 60_000;
/** Age at which the disk use of a project is looked at again, in milliseconds. */
const DISK_AGE_MS = 5_000;
/** Seconds after which an engine may have ended. */
const ENGINE_RETRY_S = 5;
const MIB = 1024 ** 2;

const ERRORS = {
  forks: 'forkQuota',
  runningEngines: 'engineQuota',
  diskMegabytes: 'diskQuota',
  requestsPerMinute: 'requestQuota',
  analyses: 'analysisQuota',
} as const satisfies Record<QuotaKind, ApiErrorName>;

/** Checks the quotas of users and projects. The user of a project's forks is its owner; of requests and analyses, the caller. */
export class Quotas {
  /** What is under way, by kind and subject. */
  readonly #pending = new Map<string, number>();
  readonly #windows = new Map<string, { began: number; count: number }>();
  /** Whether the disk quota of a project or of its owner is used up, and when that was looked at. */
  readonly #disks = new Map<string, { at: number; full: ApiError | undefined }>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(private readonly dependencies: QuotasDependencies) {}

  /**
   * Counts a request.
   * @throws ApiError `requestQuota`
   */
  request(userId: string, projectId: string | undefined): void {
    const subjects = this.#subjects(userId, projectId, 'requestsPerMinute');
    for (const subject of subjects) {
      const { began, count } = this.#window(subject);
      if (count < this.#limit(subject, 'requestsPerMinute')) continue;
      const left = WINDOW_MS - (this.dependencies.now() - began);
      throw this.#usedUp(subject, 'requestsPerMinute', Math.ceil(left / 1000));
    }
    for (const subject of subjects) this.#window(subject).count++;
  }

  /** @throws ApiError `analysisQuota` */
  analysis(userId: string, projectId: string | undefined): Release {
    return this.#begin('analyses', this.#subjects(userId, projectId, 'analyses'), 1, () => 0);
  }

  /** @throws ApiError `forkQuota`, `diskQuota` */
  async creation(projectId: string): Promise<Release> {
    if (this.#hasDiskQuota) this.requireDisk(projectId, await this.#lookAtDisk(projectId));
    return this.#admit(projectId, 'forks', undefined);
  }

  /** @throws ApiError `engineQuota` */
  wake(projectId: string): Promise<Release> {
    return this.#admit(projectId, 'runningEngines', ENGINE_RETRY_S);
  }

  /**
   * Uses what is known of the disk, and looks at it again later if that is old.
   * @throws ApiError `diskQuota`
   */
  requireDisk(projectId: string, known = this.#disks.get(projectId)): void {
    if (!this.#hasDiskQuota) return;
    if (!known || this.dependencies.now() - known.at >= DISK_AGE_MS) {
      // The result of a failed look is that of the next one.
      this.#lookAtDisk(projectId).catch(() => undefined);
    }
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
    const { forks, runningEngines, diskBytes } = await this.#forkUse(subject);
    const one = (kind: QuotaKind, used: number): Quota[QuotaKind] => ({
      used,
      limit: this.dependencies.limits[subject.kind][kind] ?? null,
    });
    return {
      forks: one('forks', forks + this.#count('forks', subject)),
      runningEngines: one('runningEngines', runningEngines),
      diskMegabytes: one('diskMegabytes', Math.round((diskBytes / MIB) * 100) / 100),
      requestsPerMinute: one('requestsPerMinute', this.#window(subject).count),
      analyses: one('analyses', this.#count('analyses', subject)),
    };
  }

  /** One at a time, so that each sees what the others have begun. */
  #admit(
    projectId: string,
    kind: 'forks' | 'runningEngines',
    retryAfter: number | undefined,
  ): Promise<Release> {
    const admission = this.#turn.then(async () => {
      const subjects = await this.#subjectsOf(projectId, kind);
      const used = new Map<Subject, number>();
      for (const subject of subjects) used.set(subject, (await this.#forkUse(subject))[kind]);
      return this.#begin(kind, subjects, retryAfter, (subject) => used.get(subject) ?? 0);
    });
    this.#turn = admission.catch(() => undefined);
    return admission;
  }

  #begin(
    kind: 'forks' | 'runningEngines' | 'analyses',
    subjects: readonly Subject[],
    retryAfter: number | undefined,
    usedBy: (subject: Subject) => number,
  ): Release {
    for (const subject of subjects) {
      if (usedBy(subject) + this.#count(kind, subject) < this.#limit(subject, kind)) continue;
      throw this.#usedUp(subject, kind, retryAfter);
    }
    const keys = subjects.map((subject) => keyOf(kind, subject));
    for (const key of keys) this.#pending.set(key, (this.#pending.get(key) ?? 0) + 1);
    return () => {
      for (const key of keys) {
        const left = (this.#pending.get(key) ?? 1) - 1;
        if (left > 0) this.#pending.set(key, left);
        else this.#pending.delete(key);
      }
    };
  }

  async #lookAtDisk(projectId: string): Promise<{ at: number; full: ApiError | undefined }> {
    const at = this.dependencies.now();
    const look = { at, full: this.#disks.get(projectId)?.full };
    this.#disks.set(projectId, look);
    const subjects = await this.#subjectsOf(projectId, 'diskMegabytes');
    look.full = undefined;
    for (const subject of subjects) {
      const { diskBytes } = await this.#forkUse(subject);
      if (diskBytes < this.#limit(subject, 'diskMegabytes') * MIB) continue;
      look.full = this.#usedUp(subject, 'diskMegabytes', undefined);
    }
    return look;
  }

  /** Those of the two that have a quota. */
  #subjects(userId: string, projectId: string | undefined, kind: QuotaKind): Subject[] {
    const user: Subject = { kind: 'user', id: userId };
    const both =
      projectId === undefined ? [user] : [user, { kind: 'project', id: projectId } as const];
    return both.filter((subject) => this.#limit(subject, kind) < Infinity);
  }

  /** The project and its owner, of whom those are left out that have no quota. */
  async #subjectsOf(projectId: string, kind: QuotaKind): Promise<Subject[]> {
    const { user, project } = this.dependencies.limits;
    if (user[kind] === undefined && project[kind] === undefined) return [];
    const found = await this.dependencies.projects.findProject(projectId);
    return found ? this.#subjects(found.ownerId, projectId, kind) : [];
  }

  async #forkUse({ kind, id }: Subject): Promise<ForkUse> {
    const { projects, forkUseOf } = this.dependencies;
    if (kind === 'project') return forkUseOf(id);
    const owned = (await projects.listProjectsOf(id)).filter(({ ownerId }) => ownerId === id);
    const uses = await Promise.all(owned.map(({ projectId }) => forkUseOf(projectId)));
    const sum = (of: keyof ForkUse): number => uses.reduce((total, one) => total + one[of], 0);
    return {
      forks: sum('forks'),
      runningEngines: sum('runningEngines'),
      diskBytes: sum('diskBytes'),
    };
  }

  #limit({ kind }: Subject, quota: QuotaKind): number {
    return this.dependencies.limits[kind][quota] ?? Infinity;
  }

  #count(kind: QuotaKind, subject: Subject): number {
    return this.#pending.get(keyOf(kind, subject)) ?? 0;
  }

  #window(subject: Subject): { began: number; count: number } {
    const now = this.dependencies.now();
    for (const [key, { began }] of this.#windows) {
      if (now - began < WINDOW_MS) break; // in the order of their beginning
      this.#windows.delete(key);
    }
    const key = keyOf('requestsPerMinute', subject);
    const found = this.#windows.get(key) ?? { began: now, count: 0 };
    if (this.#limit(subject, 'requestsPerMinute') < Infinity) this.#windows.set(key, found);
    return found;
  }

  #usedUp(subject: Subject, kind: QuotaKind, retryAfter: number | undefined): ApiError {
    const error = ERRORS[kind];
    const whose = subject.kind === 'user' ? 'the user' : `project ${subject.id}`;
    return new ApiError(
      error,
      `${whose} has a quota of ${this.#limit(subject, kind)} ${WORDS[kind]}, which is used up` +
        (API_ERRORS[error].status === 429 ? '; try again later' : '; delete a fork first'),
      retryAfter === undefined ? {} : { retryAfter },
    );
  }
}

const WORDS: Readonly<Record<QuotaKind, string>> = {
  forks: 'forks',
  runningEngines: 'running engines',
  diskMegabytes: 'MiB on disk',
  requestsPerMinute: 'requests a minute',
  analyses: 'analyses at a time',
};

const keyOf = (kind: QuotaKind, subject: Subject): string =>
  `${kind} ${subject.kind} ${subject.id}`;
