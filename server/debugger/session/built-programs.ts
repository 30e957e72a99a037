import type { ProgramSource, UnoptimizedBuild } from '../../contracts/sources/program-source';

/** Sources of unoptimized builds, and those of all other codes. */
export function withBuilds(
  source: ProgramSource,
  builds: readonly UnoptimizedBuild[],
): ProgramSource {
  const byCode = new Map(builds.map((one) => [one.code as string, one]));
  return {
    programOf: async (network, executed, signal) =>
      byCode.get(executed.code)?.program ?? source.programOf(network, executed, signal),
    unmappedOf: async (network, executed, signal) =>
      byCode.has(executed.code) ? undefined : source.unmappedOf(network, executed, signal),
    identityOf: async (network, executed, signal) =>
      byCode.get(executed.code)?.program.identity ?? source.identityOf(network, executed, signal),
  };
}
