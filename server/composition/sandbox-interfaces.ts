import { neverAborted } from '../kernel/async/never-aborted';
import { readArtifact, type Artifact } from '../contracts/abi/artifact';
import { builtInSignatures } from '../contracts/abi/built-in/signatures';
import { pause } from '../kernel/async/slices';
import { loadSandboxContracts } from '../chains/sandbox/parts/contracts';

/**
 * Reads the interfaces of the built-in chain's contracts, and the well-known ones, which each analysis needs. Pauses between contracts, so
 * that it can run while the chain's engine starts.
 */
export async function readSandboxInterfaces(): Promise<Artifact[]> {
  const artifacts: Artifact[] = [];
  for (const contract of Object.values(loadSandboxContracts())) {
    const artifact = readArtifact(contract, contract.contractName);
    if (artifact) artifacts.push(artifact);
    await pause();
  }
  await builtInSignatures.candidates({ selectors: new Set(), topics: new Set() }, neverAborted());
  return artifacts;
}
