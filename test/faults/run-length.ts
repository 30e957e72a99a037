/** `long`: more rounds, more forks, and every damage of every kind of file (`npm run test:faults -- --long`). */
export const FORM = process.env['FAULTS_FORM'] === 'long' ? 'long' : 'short';

/** Seed of all random choices (`--seed N`). */
export const SEED = Number(process.env['FAULTS_SEED'] ?? 1);
