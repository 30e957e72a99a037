import { sep } from 'node:path';
import type { CreationCode, Network } from '../../analysis/ports';
import { ContractInterface } from '../../analysis/contract-interface';
import type { DecodeSource } from '../../api/decoding';
import type { Address, Hex } from '../../api/primitives';
import type { Artifact } from './artifact';
import { lengthWithoutMetadata, type CodeMatch } from './code-template';
import type { Deployment } from './deployments';
import type { ContractSource, DeployedContract, KnownContract, SignatureSource } from './sources';

/** Source of artifacts: folders, or a fixed list. */
export interface ArtifactProvider {
  /** Must return the same array as long as nothing changed. */
  artifacts(): Promise<readonly Artifact[]>;
  /** Contracts that the projects deployed on a chain, by address. */
  deployments?(chainId: number): Promise<ReadonlyMap<Address, Deployment>>;
}

/** Decode sources to report for artifacts. */
export interface ArtifactNames {
  /** For a contract that the artifact matches. */
  readonly own: DecodeSource;
  /** For signatures that are applied to other contracts. */
  readonly others: DecodeSource;
}

/** Code that runs, at the account that has it. */
interface RunningCode {
  readonly address: Address;
  /** Deployed code; of a creation, init code. */
  readonly code: Hex;
  readonly isCreation: boolean;
}

/** An artifact, and how code equals it. */
export interface MatchedArtifact {
  readonly artifact: Artifact;
  readonly match: CodeMatch;
}

interface Index {
  /** The artifacts that the index was built from. */
  readonly of: readonly Artifact[];
  readonly artifacts: readonly Artifact[];
  /** By the length of the deployed code without its metadata. */
  readonly byLength: ReadonlyMap<number, readonly Artifact[]>;
  readonly interfaces: readonly ContractInterface[];
}

/**
 * Contracts that the user compiled. A contract is recognised by its bytecode, else by the address at which the project deployed it. The
 * signatures apply to other contracts as well.
 */
export class Artifacts implements ContractSource, SignatureSource {
  #index: Index | undefined;

  constructor(
    private readonly provider: ArtifactProvider,
    private readonly names: ArtifactNames,
  ) {}

  async find(
    { chainId }: Network,
    contracts: readonly DeployedContract[],
  ): Promise<ReadonlyMap<Address, KnownContract>> {
    const index = await this.#current();
    const deployments = await this.provider.deployments?.(chainId);
    const found = new Map<Address, KnownContract>();
    for (const { address, code } of contracts) {
      const deployment = deployments?.get(address);
      // Code takes precedence over the deployment record: development chains reuse addresses.
      const artifact = deployedArtifact(index, code, deployment?.name);
      const known = artifact
        ? recognised(artifact)
        : deployment && noted(deployment, index.artifacts, this.names.own);
      if (known) found.set(address, known);
    }
    return found;
  }

  async candidates(): Promise<readonly ContractInterface[]> {
    return (await this.#current()).interfaces;
  }

  /** The artifact whose creation code is a prefix of the init code. If several match, the longest wins. */
  async findCreation(initCode: Hex): Promise<CreationCode | undefined> {
    const artifact = createdArtifact(await this.#current(), initCode);
    return artifact?.creation
      ? {
          name: artifact.name,
          interface: artifact.interface,
          argumentsOffset: artifact.creation.fullLength,
        }
      : undefined;
  }

  /** The artifact that code was compiled from. */
  async ofCode(
    { chainId }: Network,
    { address, code, isCreation }: RunningCode,
  ): Promise<MatchedArtifact | undefined> {
    const index = await this.#current();
    const name = (await this.provider.deployments?.(chainId))?.get(address)?.name;
    const artifact = isCreation
      ? createdArtifact(index, code)
      : deployedArtifact(index, code, name);
    const match = (isCreation ? artifact?.creation : artifact?.deployed)?.compare(code, isCreation);
    return artifact && match && { artifact, match };
  }

  async #current(): Promise<Index> {
    const artifacts = await this.provider.artifacts();
    if (this.#index?.of !== artifacts) this.#index = toIndex(artifacts, this.names);
    return this.#index;
  }
}

/** @param name preferred if several artifacts have this code */
function deployedArtifact(
  { byLength }: Index,
  code: Hex,
  name: string | undefined,
): Artifact | undefined {
  const equal = byLength
    .get(lengthWithoutMetadata(code))
    ?.filter(({ deployed }) => deployed?.matches(code));
  if (!equal || equal.length < 2) return equal?.[0];
  const rankOf = (one: Artifact): number =>
    (one.name === name ? 4 : 0) + rank(one, one.deployed?.compare(code, false));
  return equal.reduce((best, one) => (rankOf(one) > rankOf(best) ? one : best));
}

function createdArtifact({ artifacts }: Index, initCode: Hex): Artifact | undefined {
  const equal = artifacts.filter(({ creation }) => creation?.begins(initCode));
  if (equal.length < 2) return equal[0];
  const lengthOf = ({ creation }: Artifact): number => creation?.fullLength ?? 0;
  const rankOf = (one: Artifact): number => rank(one, one.creation?.compare(initCode, true));
  return equal.reduce((best, one) => {
    const longer = lengthOf(one) - lengthOf(best) || rankOf(one) - rankOf(best);
    return longer > 0 ? one : best;
  });
}

/** A project may have several builds of a contract: the same sources come first, then those with syntax trees. */
const rank = ({ hasTree }: Artifact, match: CodeMatch | undefined): number =>
  (match === 'exact' ? 2 : 0) + (hasTree === true ? 1 : 0);

const recognised = ({ name, interface: abi, layout }: Artifact): KnownContract => ({
  name,
  interface: abi,
  ...(layout && { layout }),
});

/**
 * Identifies a contract by its address alone. Its code may come from other settings or another version, so neither its storage layout nor
 * its sources are known.
 * @returns undefined if the project has no contract with this name, or several
 */
function noted(
  { name, abi, project }: Deployment,
  artifacts: readonly Artifact[],
  source: DecodeSource,
): KnownContract | undefined {
  if (abi) return { name, interface: ContractInterface.fromAbi(abi, source) };
  const [artifact, ...others] = artifacts.filter(
    (one) => one.name === name && one.deployed && one.file?.startsWith(project + sep),
  );
  return artifact && others.length === 0 ? { name, interface: artifact.interface } : undefined;
}

function toIndex(of: readonly Artifact[], { own, others }: ArtifactNames): Index {
  const artifacts = of.map((one) => ({ ...one, interface: one.interface.as(own) }));
  const byLength = new Map<number, Artifact[]>();
  for (const artifact of artifacts) {
    if (!artifact.deployed) continue;
    const { length } = artifact.deployed;
    const same = byLength.get(length);
    if (same) same.push(artifact);
    else byLength.set(length, [artifact]);
  }
  return { of, artifacts, byLength, interfaces: of.map((one) => one.interface.as(others)) };
}
