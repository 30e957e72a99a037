import { readFileSync } from 'node:fs';
import { builtFile } from '../../kernel/files/built-file';
import type { SandboxPlan } from './plan';

/** The plan that the build wrote; undefined if the build has not run. The engine's blocks are checked against it. */
export function readBuiltPlan(): SandboxPlan | undefined {
  const path = builtFile('sandbox-plan.json');
  return path === undefined ? undefined : (JSON.parse(readFileSync(path, 'utf8')) as SandboxPlan);
}
