/** `long`: more rounds, more forks, and every damage of every kind of file (`npm run test:faults -- --long`). */
export const FORM = process.env['FAULTS_FORM'] === 'long' ? 'long' : 'short';

/** Seed of all random choices (`--seed N`). */
export const SEED = Number(process.env['FAULTS_SEED'] ?? 1);

/** Mulberry32: the same seed returns the same choices. */
export function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % below;
  };
}
