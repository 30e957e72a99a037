/** Storage layout of a contract in the format of Solidity's compiler (`storageLayout`). */
export interface StorageLayout {
  readonly storage: readonly StorageMember[];
  readonly types?: Readonly<Record<string, StorageType>> | null | undefined;
}

interface StorageMember {
  readonly label: string;
  /** Bytes from the right end of the slot. */
  readonly offset: number;
  /** Decimal. For a struct's member, relative to the struct's first slot. */
  readonly slot: string;
  readonly type: string;
}

export interface StorageType {
  readonly encoding: string;
  readonly label: string;
  readonly numberOfBytes: string;
  readonly key?: string | undefined;
  readonly value?: string | undefined;
  readonly base?: string | undefined;
  readonly members?: readonly StorageMember[] | undefined;
}
