import path from 'node:path';

/**
 * Paths at which Foundry and Hardhat write the artifact of a contract: Foundry under the source's file name, Hardhat under its path in
 * the project.
 * @param output build output folder
 */
export function artifactFiles(output: string, source: string, contract: string): string[] {
  const inProject = path.relative(path.dirname(output), source);
  const name = `${contract}.json`;
  return [
    path.join(output, path.basename(source), name),
    ...(inProject.startsWith('..') ? [] : [path.join(output, inProject, name)]),
  ];
}
