import assert from 'node:assert/strict';
import type { TestNode } from './nodes';

/** A task of a client on a node. `run` throws if the node does not answer as expected. */
export interface Check {
  title: string;
  run: (node: TestNode) => Promise<void>;
}

/** Compiled by the Hardhat project, for the other clients. */
export interface Artifact {
  abi: readonly unknown[];
  bytecode: `0x${string}`;
}

export interface Artifacts {
  points: Artifact;
  till: Artifact;
}

/** Returns the error of a promise that must reject. */
export async function failureOf(work: Promise<unknown>): Promise<Error> {
  const result = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  assert.ok(result instanceof Error, 'it did not fail');
  return result;
}
