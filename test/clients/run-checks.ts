import type { Check } from './check';
import type { NodeName, Nodes, TestNode } from './nodes';
import type { Outcome, Refusal, Run } from './outcomes';

/** Of our own checks. */
export const OWN_REFUSALS: readonly Refusal[] = [
  {
    test: /^proofs of accounts$/,
    reason: '`eth_getProof` above the fork point: a fork has no state trie to prove it by',
  },
];

/** Runs checks one after another on one unused node. */
export async function runChecks(
  checks: readonly Check[],
  nodes: Nodes,
  name: NodeName,
): Promise<Run> {
  const node = await nodes.create(name);
  try {
    const started = performance.now();
    const outcomes = new Map<string, Outcome>();
    for (const { title, run } of checks) outcomes.set(title, await outcomeOf(run, node));
    return { outcomes, seconds: (performance.now() - started) / 1000 };
  } finally {
    await node.stop();
  }
}

const outcomeOf = (run: Check['run'], node: TestNode): Promise<Outcome> =>
  run(node).then(
    () => ({ status: 'passed' }),
    (error: unknown) => ({ status: 'failed', why: String(error).slice(0, 600) }),
  );
