import { ROUTES, type RouteId } from '../../server/api/routes';
import type { Fork } from '../../server/api/fork';
import type { Project } from '../../server/api/project';
import type { Tally, Target } from './campaign';
import { envelopeOf, must, mustNotLeak, type Envelope } from './checks';
import type { FuzzTarget } from './fuzz-target';
import { restScripts, type KeyKind, type Step } from './rest-steps';
import { wellFormed } from './hostile-values';
import { call } from '../support/json-rpc';
import { sendHttp } from './send-http';

const MAX_MS = 20_000;

/** The interface below `/v1`: the answers must be valid, and acknowledged data must be there. */
export class RestTarget implements Target<Step[]> {
  readonly known = Object.keys(ROUTES);
  readonly scripts = restScripts;
  readonly perRound = 40;
  readonly #keys: Record<KeyKind, string | undefined>;
  /** Acknowledged and not deleted. */
  #projects = new Map<string, string>();
  #forks = new Map<string, Fork>();
  #snapshots = ['default'];
  /** Keys that the campaign has issued and not revoked. */
  #keyIds: string[] = [];
  /** Hashes of transactions that were sent to the first fork. */
  #sent: string[] = [];
  #isChanged = false;

  constructor(private readonly place: FuzzTarget) {
    this.#keys = {
      owner: place.service.key,
      foreign: place.foreignKey,
      narrow: place.narrowKey,
      none: undefined,
      junk: 'fl_x',
    };
  }

  async renew(): Promise<void> {
    const { service, bystander } = this.place;
    for (const key of [service.key, this.place.foreignKey]) {
      const { data } = await service.request<Project[]>('GET', '/v1/projects', { key });
      for (const { projectId } of data) {
        const { data: forks } = await service.request<Fork[]>(
          'GET',
          `/v1/project/${projectId}/forks`,
          { key },
        );
        const keeps = forks.some(({ forkId }) => forkId === bystander.forkId);
        if (!keeps) await service.request('DELETE', `/v1/project/${projectId}`, { key });
      }
    }
    this.#projects.clear();
    this.#forks.clear();
    const made = await service.request<Project>('POST', '/v1/project', { body: { name: 'fuzz' } });
    const project = made.data.projectId;
    this.#projects.set(project, 'fuzz');
    const body = { chainId: 31_337, height: '0x8', name: 'fuzz' };
    const fork = await service.request<Fork>('POST', `/v1/project/${project}/fork`, { body });
    this.#forks.set(fork.data.forkId, fork.data);
    forkProject.set(fork.data, project);
    this.#snapshots = [fork.data.snapshotId];
    const [from] = await call<string[]>(fork.data.rpc, 'eth_accounts');
    this.#sent = [await call(fork.data.rpc, 'eth_sendTransaction', { from, to: from })];
  }

  async run(steps: Step[], tally: Tally): Promise<void> {
    for (const step of steps) {
      const { answer, resolved } = await this.#send(step);
      if (answer === undefined) continue;
      if (answer.code === 0) tally.count(step.route ?? 'no route', 'taken');
      else tally.count(step.route ?? 'no route', 'refused', answer.message.slice(0, 150));
      if (step.route !== undefined && answer.code === 0 && step.key === 'owner')
        this.#note(step.route, resolved, answer);
    }
    if (this.#isChanged) await this.#checkAcknowledged();
    this.#isChanged = false;
    await this.place.check();
  }

  async #send(step: Step): Promise<{ answer?: Envelope; resolved: Record<string, unknown> }> {
    const params = this.#resolve(step.params) as Record<string, unknown>;
    const query = this.#resolve(step.query) as Record<string, unknown>;
    const body = this.#resolve(step.body);
    const path = pathOf(step.path, params) + queryOf(query);
    const text =
      body === undefined ? undefined : typeof body === 'string' ? body : JSON.stringify(body);
    const key = this.#keys[step.key];
    const headers = {
      ...(key === undefined ? {} : { 'Access-Key': key }),
      ...(text === undefined ? {} : { 'Content-Type': 'application/json' }),
      ...step.headers,
    };
    const started = performance.now();
    const { url } = this.place.service;
    const got = await sendHttp(url, step.method, path, headers, text);
    const request = `${path} ${decodeURIComponentSafely(path)} ${text ?? ''} ${JSON.stringify(headers)}`;
    must(performance.now() - started < MAX_MS, `${step.method} ${path} takes too long`);
    // The service shows paths in its data directory to the machine's own user, whatever the scope of the key.
    const isOwn = step.key === 'owner' || step.key === 'narrow';
    const own = isOwn ? [url, `${this.place.service.dataDir}/`] : [];
    mustNotLeak(got.text, request, [...own, ...issuedKeyIn(step, got.text)]);
    const isInside = path.startsWith('/v1/') || path.startsWith('/admin/');
    const resolved = { ...params, ...query, ...(typeof body === 'object' ? body : {}) };
    if (!isInside || step.method === 'HEAD') {
      must(
        got.status < 500,
        `${step.method} ${path} answers ${got.status}: ${got.text.slice(0, 300)}`,
      );
      return { resolved };
    }
    if (got.type.startsWith('text/event-stream') && path.startsWith('/v1/events'))
      return { resolved };
    const answer = got.type.startsWith('text/event-stream')
      ? envelopeOfEvents(got.text)
      : envelopeOf(got.status, got.text);
    if (step.route !== undefined && answer.code === 0) this.#checkData(step, params, answer);
    return { answer, resolved };
  }

  #checkData(step: Step, params: Record<string, unknown>, { data }: Envelope): void {
    const { data: schema, scope } = ROUTES[step.route!];
    const checked = schema.safeParse(data);
    must(
      checked.success,
      `data is not of its schema: ${JSON.stringify(checked.error?.issues.slice(0, 2))}`,
    );
    must(step.key !== 'none' && step.key !== 'junk', `${step.route!} answers without a valid key`);
    must(
      step.key !== 'narrow' || scope !== 'manage',
      `${step.route!} answers a key without its scope`,
    );
    const { project_id: project, fork_id: fork, chain } = params as Record<string, string>;
    const isForeign = [project, fork, chain].some(
      (id) => id !== undefined && (this.#projects.has(id) || this.#forks.has(id)),
    );
    must(!(step.key === 'foreign' && isForeign), `${step.route!} answers another user`);
  }

  #resolve(value: unknown): unknown {
    if (typeof value === 'string') return this.#resolveText(value);
    if (Array.isArray(value)) return value.map((one) => this.#resolve(one));
    if (typeof value !== 'object' || value === null) return value;
    const copy: Record<string, unknown> = {};
    for (const [name, one] of Object.entries(value)) {
      Object.defineProperty(copy, name, {
        value: this.#resolve(one),
        enumerable: true,
        writable: true,
      });
    }
    return copy;
  }

  #resolveText(text: string): string {
    const [, kind, index] = /^@(project|fork|snapshot|key|sent|guest)\/(\d)$/.exec(text) ?? [];
    if (kind === undefined) return text;
    if (kind === 'guest') return this.place.guest;
    const ids = {
      project: [...this.#projects.keys()],
      fork: [...this.#forks.keys()],
      snapshot: this.#snapshots,
      key: this.#keyIds,
      sent: this.#sent,
    }[kind as 'project'];
    return ids[Number(index) % ids.length] ?? `${kind}_${'0'.repeat(32)}`;
  }

  /** Records the data that the service has acknowledged. */
  #note(route: RouteId, input: Record<string, unknown>, { data }: Envelope): void {
    const id = (name: string): string => String(input[name]);
    this.#isChanged = true;
    switch (route) {
      case 'createProject':
        this.#projects.set((data as Project).projectId, (data as Project).name);
        break;
      case 'renameProject':
        this.#projects.set(id('project_id'), (data as Project).name);
        break;
      case 'deleteProject':
        this.#projects.delete(id('project_id'));
        for (const [forkId, fork] of this.#forks) {
          if (forkProject.get(fork) === id('project_id')) this.#forks.delete(forkId);
        }
        break;
      case 'createFork':
      case 'branchFork':
        this.#forks.set((data as Fork).forkId, data as Fork);
        forkProject.set(data as Fork, id('project_id'));
        this.#snapshots.push((data as Fork).snapshotId);
        break;
      case 'deleteFork':
        this.#forks.delete(id('fork_id'));
        break;
      case 'createKey':
      case 'rotateKey':
        this.#keyIds.push((data as { keyId: string }).keyId);
        break;
      case 'revokeKey':
        this.#keyIds = this.#keyIds.filter((keyId) => keyId !== id('key_id'));
        break;
      case 'createSnapshot':
        this.#snapshots.push((data as { snapshotId: string }).snapshotId);
        break;
      default:
        this.#isChanged = false;
    }
  }

  async #checkAcknowledged(): Promise<void> {
    const { service } = this.place;
    const { data } = await service.request<Project[]>('GET', '/v1/projects');
    const there = new Map(data.map(({ projectId, name }) => [projectId, name]));
    for (const [id, name] of this.#projects) {
      must(
        there.get(id) === name,
        `the project ${id} ("${name}") was acknowledged and is not there`,
      );
    }
    const lists = [...there.keys()].map(
      async (id) => (await service.request<Fork[]>('GET', `/v1/project/${id}/forks`)).data,
    );
    const forks = new Set((await Promise.all(lists)).flat().map(({ forkId }) => forkId));
    for (const id of this.#forks.keys()) {
      must(forks.has(id), `the fork ${id} was acknowledged and is not there`);
    }
  }

  close(): Promise<void> {
    return this.place.close();
  }
}

const forkProject = new WeakMap<Fork, string>();

const pathOf = (template: string, params: Record<string, unknown>): string =>
  template.replace(/\{(\w+)\}/g, (_, name: string) => encoded(params[name]));

const encoded = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return encodeURIComponent(wellFormed(text)) || '%20';
};

function queryOf(query: Record<string, unknown>): string {
  const pairs = Object.entries(query).map(
    ([name, value]) => `${encoded(name)}=${encoded(value ?? '')}`,
  );
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}

function decodeURIComponentSafely(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the envelope at the end of an event stream. */
function envelopeOfEvents(text: string): Envelope {
  const data = /event: result\r?\ndata: (.*)/.exec(text)?.[1];
  must(data !== undefined, `the stream of events has no result: ${text.slice(-300)}`);
  const { code } = JSON.parse(data) as Envelope;
  return envelopeOf(code === 0 ? 200 : Math.floor(code / 100), data);
}

/** The new key in the answer to the request that issued it: its user sees it once. */
function issuedKeyIn({ route }: Step, answer: string): string[] {
  if (route !== 'createKey' && route !== 'rotateKey') return [];
  return /"key":"(fl_[0-9a-f]{52})"/.exec(answer)?.slice(1) ?? [];
}
