import type { CreationCode, Network } from '../analysis/ports';
import type { ContractInterface } from '../analysis/contract-interface';
import type { Address, Hex } from '../api/primitives';
import type { Artifact } from './artifact';
import { bareLength } from './code-template';
import type { ContractSource, DeployedContract, KnownContract, SignatureSource } from './sources';

/** Where artifacts come from: folders, or a list that is there from the start. */
export interface ArtifactProvider {
  /** Must return the same array as long as nothing changed. */
  artifacts(): Promise<readonly Artifact[]>;
}

interface Index {
  readonly artifacts: readonly Artifact[];
  /** By the length of the deployed code without its metadata. */
  readonly byLength: ReadonlyMap<number, readonly Artifact[]>;
  readonly interfaces: readonly ContractInterface[];
}

/** Compiled contracts of the user's: recognised by their bytecode; their signatures serve for others as well. */
export class Artifacts implements ContractSource, SignatureSource {
  private index: Index | undefined;

  constructor(private readonly provider: ArtifactProvider) {}

  async find(
    _network: Network,
    contracts: readonly DeployedContract[],
  ): Promise<ReadonlyMap<Address, KnownContract>> {
    const { byLength } = await this.current();
    const found = new Map<Address, KnownContract>();
    for (const { address, code } of contracts) {
      const artifact = byLength.get(bareLength(code))?.find((one) => one.deployed?.matches(code));
      if (!artifact) continue;
      const { name, interface: abi, layout, file } = artifact;
      found.set(address, {
        name,
        interface: abi,
        ...(layout && { layout }),
        ...(file !== undefined && { artifact: file }),
      });
    }
    return found;
  }

  async candidates(): Promise<readonly ContractInterface[]> {
    return (await this.current()).interfaces;
  }

  /** The artifact whose creation code the init code begins with: the longest, if one's code begins another's. */
  async findCreation(initCode: Hex): Promise<CreationCode | undefined> {
    const { artifacts } = await this.current();
    let longest: CreationCode | undefined;
    for (const { creation, name, interface: abi, file } of artifacts) {
      if (!creation?.begins(initCode)) continue;
      if (longest && longest.argumentsOffset >= creation.fullLength) continue;
      longest = {
        name,
        interface: abi,
        argumentsOffset: creation.fullLength,
        ...(file !== undefined && { artifact: file }),
      };
    }
    return longest;
  }

  private async current(): Promise<Index> {
    const artifacts = await this.provider.artifacts();
    if (this.index?.artifacts !== artifacts) this.index = toIndex(artifacts);
    return this.index;
  }
}

function toIndex(artifacts: readonly Artifact[]): Index {
  const byLength = new Map<number, Artifact[]>();
  for (const artifact of artifacts) {
    if (!artifact.deployed) continue;
    const { length } = artifact.deployed;
    const same = byLength.get(length);
    if (same) same.push(artifact);
    else byLength.set(length, [artifact]);
  }
  return { artifacts, byLength, interfaces: artifacts.map((artifact) => artifact.interface) };
}
