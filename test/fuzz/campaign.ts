import fc from 'fast-check';
import { Stalled } from './checks';

/** Counts accepted and refused cases by operation, method, file or message. */
export class Tally {
  readonly #counts = new Map<string, { taken: number; refused: number }>();
  readonly #reasons = new Map<string, string>();
  cases = 0;

  /** Counts one case. @param name its operation, method, file or message @param reason the reason of a refusal */
  count(name: string, outcome: 'taken' | 'refused', reason?: string): void {
    this.cases++;
    const counts = this.#counts.get(name) ?? { taken: 0, refused: 0 };
    counts[outcome]++;
    if (reason !== undefined) this.#reasons.set(name, reason);
    this.#counts.set(name, counts);
  }

  /** @param known all names */
  coverage(known: readonly string[]): Coverage {
    const never = (outcome: 'taken' | 'refused'): string[] =>
      known.filter((name) => !this.#counts.get(name)?.[outcome]);
    const why = (name: string): string => `${name} (${this.#reasons.get(name) ?? 'not tried'})`;
    return {
      known: known.length,
      neverTaken: never('taken').map(why),
      neverRefused: never('refused'),
    };
  }
}

export interface Coverage {
  known: number;
  /** Each with the reason of the last refusal. */
  neverTaken: string[];
  neverRefused: string[];
}

/** A fuzzed surface of the product, with generators of hostile input. */
export interface Target<T = unknown> {
  /** Names in the tally. */
  known: readonly string[];
  /** One script: small enough to be repeated from its seed alone. */
  scripts: fc.Arbitrary<T>;
  /** Runs one script. Rejects if a property does not hold. */
  run(script: T, tally: Tally): Promise<void>;
  /** Scripts between two calls of `renew`. */
  perRound: number;
  /** Restores a state that depends on the seed alone. */
  renew(seed: number): Promise<void>;
  close(): Promise<void>;
}

export interface Finding {
  target: string;
  seed: number;
  /** The smallest failing script that was found. */
  script: string;
  message: string;
}

export interface CampaignOptions {
  cases: number;
  /** Seed of the first round. Each later round adds one. */
  seed: number;
  /** The latest end, as a time of `performance.now()`. */
  deadline?: number;
}

export interface CampaignResult {
  target: string;
  cases: number;
  seconds: number;
  coverage: Coverage;
  findings: Finding[];
}

const MAX_FINDINGS = 10;
const SHOWN_CHARACTERS = 4_000;

/**
 * Runs rounds of scripts until the given number of cases is done. Each round has its own seed. A failing round is shrunk, and the campaign
 * continues with the next one.
 */
export async function runCampaign<T>(
  name: string,
  target: Target<T>,
  options: CampaignOptions,
): Promise<CampaignResult> {
  const { cases, deadline = Infinity } = options;
  const tally = new Tally();
  const findings: Finding[] = [];
  const started = performance.now();
  for (let round = 0; tally.cases < cases && findings.length < MAX_FINDINGS; round++) {
    if (performance.now() > deadline) break;
    const seed = (options.seed + round) | 0;
    await target.renew(seed);
    const property = fc.asyncProperty(target.scripts, (script) => confirmed(target, script, tally));
    const details = await fc.check(property, {
      seed,
      numRuns: target.perRound,
      interruptAfterTimeLimit: Math.max(1, Math.min(deadline - performance.now(), 2 ** 31 - 1)),
    });
    if (!details.failed || details.counterexample === null) continue;
    findings.push({
      target: name,
      seed,
      script: fc.stringify(details.counterexample[0]).slice(0, SHOWN_CHARACTERS),
      message: String(details.errorInstance).slice(0, SHOWN_CHARACTERS),
    });
  }
  return {
    target: name,
    cases: tally.cases,
    seconds: Math.round((performance.now() - started) / 1000),
    coverage: tally.coverage(target.known),
    findings,
  };
}

/** Runs after which a pause of the service is a finding, if there was one in each. */
const CONFIRMATIONS = 3;

/** Runs a script, again if the service paused too long: only a pause that the script causes comes again. */
async function confirmed<T>(target: Target<T>, script: T, tally: Tally): Promise<void> {
  for (let left = CONFIRMATIONS; ; left--) {
    try {
      await target.run(script, tally);
      return;
    } catch (error) {
      if (!(error instanceof Stalled) || left === 1) throw error;
    }
  }
}
