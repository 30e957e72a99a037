import { readFileSync } from 'node:fs';
import { builtFile } from '../built-file';
import type { SandboxPlan } from './plan';

/** The plan that the build has written; undefined where the build has not run. The engine's blocks are compared with it. */
export function readBuiltPlan(): SandboxPlan | undefined {
  const path = builtFile('sandbox-plan.json');
  return path === undefined ? undefined : (JSON.parse(readFileSync(path, 'utf8')) as SandboxPlan);
}
