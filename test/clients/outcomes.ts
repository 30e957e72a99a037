import type { NodeName } from './nodes';

export type Outcome = { status: 'passed' } | { status: 'failed'; why: string };

/** Of one run on one node: by the title of the test, in order. Skipped ones are not in it. */
export interface Run {
  outcomes: ReadonlyMap<string, Outcome>;
  seconds: number;
}

export type Runs = Record<NodeName, Run>;

/** Tests that a fork refuses on purpose: a part of the title, and the reason. */
export interface Refusal {
  test: RegExp;
  reason: string;
}

export interface Comparison {
  both: number;
  onlyHere: number;
  /** Passed on bare anvil and failed on the fork without a reason: a fault. */
  onlyThere: readonly { test: string; why: string }[];
  refused: readonly string[];
  /** Failed on both. */
  neither: readonly string[];
}

/** Compares two runs of a suite. A test that did not run on a node did not pass there. */
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
