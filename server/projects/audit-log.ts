import { randomBytes } from 'node:crypto';
import type { AuditEntry, AuditPage, AuditQuery } from '../api/audit';
import { ApiError, API_ERRORS } from '../api/errors';
import { LIMITS } from '../api/limits';
import type { AuditRecord, AuditSink, AuditStore, Clock, ProjectStore } from './ports';
import { RefusalBudget } from './refusal-budget';

/** What is known of an action when it begins. */
export interface AuditedAction extends Pick<AuditEntry, 'action' | 'actor' | 'address'> {
  userId?: string;
  keyId?: string;
  requestId?: string;
  /** As given by the client: what does not have the form of an id is left out. */
  projectId?: string | undefined;
  forkId?: string | undefined;
  targetKeyId?: string | undefined;
  /** A valid e-mail address. */
  email?: string | undefined;
  role?: string | undefined;
}

/** Entries that are removed sooner are missed. */
const YOUNG_MS = 30 * 24 * 60 * 60 * 1_000;

const PROJECT = /^project_[0-9a-f]{32}$/;
const FORK = /^fork_[0-9a-f]{32}$/;
const KEY = /^key_[0-9a-f]{12}$/;

/** Records who did what, when, from where, and with which outcome. */
export class AuditLog {
  #counter = 0;
  #dropped: Date | undefined;
  readonly #refusals: RefusalBudget;

  constructor(
    private readonly store: AuditStore,
    private readonly projects: Pick<ProjectStore, 'findProject'>,
    private readonly clock: Clock,
    /** Reports an entry that could not be written. Its action is done, and is not undone. */
    private readonly warn: (facts: object, message: string) => void,
    private readonly sink?: AuditSink,
  ) {
    this.#refusals = new RefusalBudget(clock, (userId) => {
      warn(
        { userId, limit: LIMITS.auditedRefusals },
        'further refused requests of a user are left out of the audit log for an hour',
      );
    });
  }

  /** Time of the youngest entry that was removed since the start to make room, if it was less than 30 days old; else undefined. */
  get youngDropped(): Date | undefined {
    return this.#dropped;
  }

  /**
   * Runs an action, and records it before its result is returned.
   * @throws the error of the action
   */
  async around<T>(action: AuditedAction, run: () => Promise<T>): Promise<T> {
    const projectId = matching(PROJECT, action.projectId);
    // Before the action, which may delete the project. The log is not worth failing the action.
    const project =
      projectId === undefined
        ? undefined
        : await this.projects.findProject(projectId).catch(() => undefined);
    const end = (code: number, result?: unknown): Promise<void> =>
      this.#append({ ...action, projectId }, project?.ownerId, code, result);
    try {
      const result = await run();
      await end(0, result);
      return result;
    } catch (error) {
      await end(error instanceof ApiError ? error.code : API_ERRORS.internal.code);
      throw error;
    }
  }

  /** @param reader id of a user; undefined: an administrator, who sees all entries */
  async list({ cursor, limit, ...filter }: AuditQuery, reader?: string): Promise<AuditPage> {
    const found = await this.store.list({ ...filter, reader, before: cursor, limit: limit + 1 });
    const entries = found.slice(0, limit).map(toEntry);
    return { entries, nextCursor: found.length > limit ? (entries.at(-1)?.id ?? null) : null };
  }

  async #append(
    action: AuditedAction,
    ownerId: string | undefined,
    code: number,
    result: unknown,
  ): Promise<void> {
    const { userId } = action;
    if (code !== 0 && userId !== undefined && !this.#refusals.take(userId)) return;
    const made = (result ?? {}) as Partial<Record<'projectId' | 'forkId' | 'keyId', unknown>>;
    const now = this.clock();
    const forkId = matching(FORK, action.forkId) ?? matching(FORK, made.forkId);
    const keyIds = [matching(KEY, action.targetKeyId), matching(KEY, made.keyId)];
    const targets = [action.email, ...keyIds].filter((one) => one !== undefined);
    const record: AuditRecord = {
      id: this.#newId(now),
      time: now.toISOString(),
      action: action.action,
      actor: action.actor,
      ...given('keyId', action.keyId),
      address: action.address,
      code,
      ...given('projectId', action.projectId ?? matching(PROJECT, made.projectId)),
      ...given('forkId', forkId),
      ...given('target', targets.length > 0 ? targets.join(' ') : undefined),
      ...given('role', action.role),
      ...given('requestId', action.requestId),
      ...given('userId', action.userId),
      ...given('ownerId', ownerId),
    };
    this.sink?.write(toEntry(record));
    try {
      await this.store.append(record);
      this.#checkDropped(now);
    } catch (error) {
      this.warn({ err: error, entry: toEntry(record) }, 'an entry of the audit log is lost');
    }
  }

  #checkDropped(now: Date): void {
    const { dropped } = this.store;
    if (dropped === undefined || now.getTime() - dropped.getTime() >= YOUNG_MS) return;
    if (this.#dropped && this.#dropped >= dropped) return;
    this.#dropped = dropped;
    this.warn(
      { youngest: dropped.toISOString() },
      'entries of the audit log that are less than 30 days old were removed to make room: copy them elsewhere more often',
    );
  }

  /** 24 hex digits: milliseconds, a counter within the process, and random digits. */
  #newId(now: Date): string {
    this.#counter = (this.#counter + 1) % 0x10000;
    const hex = (value: number, digits: number): string => value.toString(16).padStart(digits, '0');
    return `${hex(now.getTime(), 12)}${hex(this.#counter, 4)}${randomBytes(4).toString('hex')}`;
  }
}

const matching = (pattern: RegExp, value: unknown): string | undefined =>
  typeof value === 'string' && pattern.test(value) ? value : undefined;

const given = <Name extends string>(name: Name, value: string | undefined) =>
  (value === undefined ? {} : { [name]: value }) as Partial<Record<Name, string>>;

function toEntry(record: AuditRecord): AuditEntry {
  const entry = { ...record };
  delete entry.userId;
  delete entry.ownerId;
  return entry;
}
