import assert from 'node:assert/strict';
import { API_ERRORS } from '../../server/api/errors';
import type { GivenAbi } from '../../server/api/abi';
import type { Fork } from '../../server/api/fork';
import type { Label } from '../../server/api/labels';
import type { Project } from '../../server/api/project';
import type { Answer } from '../support/service';
import type { Subject } from './subject';

/** Answer to a change: made, refused, or no answer. */
export type Outcome = 'made' | 'refused' | 'unanswered';

/** A kind of thing that users keep in the service. The test chooses the key of each thing. */
interface Kind {
  name: string;
  key(number: number): string;
  put(key: string, value: string): Promise<Answer>;
  remove(key: string): Promise<Answer>;
  /** Returns pairs of key and value. The test fails if a key occurs twice. */
  list(keys: readonly string[]): Promise<[string, string][]>;
}

/** Possible values of a key; undefined: nothing is stored. */
type Possible = Set<string | undefined>;

const address = (number: number): string => `0x${number.toString(16).padStart(40, '0')}`;

/**
 * Creates, replaces and deletes projects, forks, labels and ABIs at random. An acknowledged change must be there, a refused one must not be
 * there, and an unanswered one may be there or not.
 */
export class Ledger {
  readonly #kinds: Kind[];
  readonly #possible = new Map<Kind, Map<string, Possible>>();
  readonly #busy = new Set<string>();
  /** Ids of projects and forks by key. */
  readonly #ids = new Map<string, string>();
  #number = 0;

  constructor(
    private readonly subject: Subject,
    project: string,
    private readonly below: (limit: number) => number,
  ) {
    const ask = <T>(method: string, path: string, body?: object): Promise<Answer<T>> =>
      this.subject.service.request<T>(method, path, body ? { body } : {});
    const kept = async (key: string, id: string, answer: Promise<Answer>): Promise<Answer> => {
      const { data } = await answer;
      const found = (data as Record<string, string> | null)?.[id];
      if (found !== undefined) this.#ids.set(key, found);
      return answer;
    };
    this.#kinds = [
      {
        name: 'project',
        key: (number) => `project ${number}`,
        put: (key) => kept(key, 'projectId', ask('POST', '/v1/project', { name: key })),
        remove: (key) => ask('DELETE', `/v1/project/${this.#idOf(key)}`),
        list: async () => {
          const { data } = await read(ask<Project[]>('GET', '/v1/projects'));
          return data
            .filter(({ name }) => name.startsWith('project '))
            .map(({ name, projectId }) => {
              this.#ids.set(name, projectId);
              return [name, 'there'];
            });
        },
      },
      {
        name: 'fork',
        key: (number) => `spare ${number}`,
        put: (key) => {
          const body = { chainId: 1, name: key, height: '0x1' };
          return kept(key, 'forkId', ask('POST', `${project}/fork`, body));
        },
        remove: (key) => ask('DELETE', `${project}/fork/${this.#idOf(key)}`),
        list: async () => {
          const { data } = await read(ask<Fork[]>('GET', `${project}/forks`));
          return data
            .filter(({ name }) => name.startsWith('spare '))
            .map(({ name, forkId }) => {
              this.#ids.set(name, forkId);
              return [name, 'there'];
            });
        },
      },
      {
        name: 'label',
        key: address,
        put: (key, name) => ask('PUT', '/v1/labels', { address: key, name }),
        remove: (key) => ask('DELETE', '/v1/labels', { address: key }),
        list: async () => {
          const { data } = await read(ask<Label[]>('GET', '/v1/labels'));
          return data.map(({ address: of, name }) => [of, name]);
        },
      },
      {
        name: 'ABI',
        key: address,
        put: (key, contractName) => {
          const abi = [{ type: 'function', name: contractName, inputs: [], outputs: [] }];
          return ask('PUT', `/v1/abi/eth/${key}`, { contractName, abi });
        },
        remove: (key) => ask('DELETE', `/v1/abi/eth/${key}`),
        list: async (keys) => {
          const found: [string, string][] = [];
          for (const key of keys) {
            const answer = await ask<GivenAbi>('GET', `/v1/abi/eth/${key}`);
            if (answer.code === API_ERRORS.abiNotFound.code) continue;
            assert.equal(answer.code, 0, answer.message);
            assert.equal(answer.data.abi[0]?.name, answer.data.contractName);
            found.push([key, answer.data.contractName]);
          }
          return found;
        },
      },
    ];
    for (const kind of this.#kinds) this.#possible.set(kind, new Map());
  }

  /** Puts or removes a random thing. */
  async change(): Promise<Outcome> {
    const kind = this.#kinds[this.below(this.#kinds.length)]!;
    const values = this.#possible.get(kind)!;
    const free = [...values.keys()].filter((key) => !this.#busy.has(`${kind.name} ${key}`));
    const isNew = free.length === 0 || this.below(3) === 0;
    const key = isNew ? kind.key(++this.#number) : free[this.below(free.length)]!;
    const possible = values.get(key) ?? new Set([undefined]);
    values.set(key, possible);
    const mark = `${kind.name} ${key}`;
    this.#busy.add(mark);
    try {
      const isThere = possible.size === 1 && !possible.has(undefined);
      const isNamed = kind.name === 'label' || kind.name === 'ABI';
      // A second project or fork with the same name would be another one.
      if (!isNamed && !isThere && possible.size > 1) return 'made';
      const removes = isThere && (!isNamed || this.below(2) === 0);
      const value = removes
        ? undefined
        : isNamed
          ? `n${this.#number}x${this.below(1000)}`
          : 'there';
      const answer = removes ? kind.remove(key) : kind.put(key, value!);
      const outcome = await outcomeOf(answer);
      if (outcome === 'made') possible.clear();
      if (outcome !== 'refused') possible.add(value);
      return outcome;
    } finally {
      this.#busy.delete(mark);
    }
  }

  /** Compares everything with the possible values. The values found are the only possible ones afterwards. */
  async check(): Promise<void> {
    for (const kind of this.#kinds) {
      const values = this.#possible.get(kind)!;
      const listed = await kind.list([...values.keys()]);
      const found = new Map(listed);
      assert.equal(found.size, listed.length, `each ${kind.name} exists once`);
      for (const [key, possible] of values) {
        const value = found.get(key);
        const expected = [...possible].map((one) => one ?? 'nothing').join(' or ');
        assert.ok(
          possible.has(value),
          `${kind.name} ${key} is ${value ?? 'nothing'}, but ${expected} was acknowledged`,
        );
        if (value === undefined) values.delete(key);
        else values.set(key, new Set([value]));
        found.delete(key);
      }
      assert.deepEqual([...found], [], `no ${kind.name} without a request`);
    }
  }

  #idOf(key: string): string {
    const id = this.#ids.get(key);
    assert.ok(id !== undefined, key);
    return id;
  }
}

async function read<T>(asked: Promise<Answer<T>>): Promise<Answer<T>> {
  const answer = await asked;
  assert.equal(answer.code, 0, answer.message);
  return answer;
}

/** @throws AssertionError if the service answers with an internal error */
export async function outcomeOf(asked: Promise<Answer>): Promise<Outcome> {
  let answer: Answer;
  try {
    answer = await asked;
  } catch (error) {
    if (error instanceof SyntaxError) throw error; // not JSON
    return 'unanswered';
  }
  const { code, message } = answer;
  if (code === 0) return 'made';
  assert.notEqual(code, API_ERRORS.internal.code, message);
  return 'refused';
}
