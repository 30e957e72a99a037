import type { NodeName } from './nodes';

export type Outcome = { status: 'passed' } | { status: 'failed'; why: string };

/** Outcomes of one run on one node, by test title, in order. Skipped tests are not included. */
export interface Run {
  outcomes: ReadonlyMap<string, Outcome>;
  seconds: number;
}

export type Runs = Record<NodeName, Run>;

/** Tests that a fork refuses on purpose: a pattern of the title, and the reason. */
export interface Refusal {
  test: RegExp;
  reason: string;
}

export interface Comparison {
  both: number;
  onlyHere: number;
  /** Passed on bare anvil and failed on the fork without a known reason: a fault. */
  onlyThere: readonly { test: string; why: string }[];
  refused: readonly string[];
  /** Failed on both. */
  neither: readonly string[];
}

/** Compares two runs of a suite. A test that did not run on a node did not pass on it. */
export function compare({ fork, anvil }: Runs, refusals: readonly Refusal[]): Comparison {
  const passed = (run: Run, test: string): boolean => run.outcomes.get(test)?.status === 'passed';
  const tests = [...new Set([...fork.outcomes.keys(), ...anvil.outcomes.keys()])];
  const only = tests.filter((test) => !passed(fork, test) && passed(anvil, test));
  const isRefused = (test: string): boolean => refusals.some((one) => one.test.test(test));
  return {
    both: tests.filter((test) => passed(fork, test) && passed(anvil, test)).length,
    onlyHere: tests.filter((test) => passed(fork, test) && !passed(anvil, test)).length,
    onlyThere: only
      .filter((test) => !isRefused(test))
      .map((test) => {
        const outcome = fork.outcomes.get(test);
        return { test, why: outcome?.status === 'failed' ? outcome.why : 'it did not run' };
      }),
    refused: only.filter(isRefused),
    neither: tests.filter((test) => !passed(fork, test) && !passed(anvil, test)),
  };
}
