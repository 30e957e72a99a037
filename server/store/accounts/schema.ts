import * as z from 'zod';
import { scopeSchema } from '../../api/account';
import { HARDFORKS } from '../../api/config';
import { forkReplaySchema } from '../../api/fork';
import { ForeignFileError } from '../../kernel/files/recoverable-file';
import type { ForkRecord } from '../../forks/life/fork-record';
import { OP_UPGRADES } from '../../evm/families/op-stack/upgrades';
import type { AccessKey, ProjectRecord, User } from '../../projects/ports';

/** Increase it with each change of the format, and add the step to `MIGRATIONS`. */
const SCHEMA_VERSION = 2;

const userSchema = z.object({
  userId: z.string(),
  nickname: z.string(),
  email: z.string(),
  createTime: z.string(),
}) satisfies z.ZodType<User>;

const keySchema = z.object({
  keyId: z.string(),
  userId: z.string(),
  label: z.string(),
  scopes: z.array(scopeSchema),
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  createTime: z.string(),
  expiresAt: z.string().optional(),
  lastUsedAt: z.string().optional(),
  replacedBy: z.string().optional(),
}) satisfies z.ZodType<AccessKey>;

const projectSchema = z.object({
  projectId: z.string(),
  ownerId: z.string(),
  name: z.string(),
  createTime: z.string(),
  collaboratorIds: z.array(z.string()),
  viewerIds: z.array(z.string()).optional(),
}) satisfies z.ZodType<ProjectRecord>;

/** Unknown fields, of a later minor version, are preserved: forks are rebuilt from these records alone. */
const forkSchema = z.looseObject({
  forkId: z.string(),
  projectId: z.string(),
  name: z.string(),
  chain: z.string(),
  chainId: z.int(),
  height: z.int(),
  position: z.int().nullable(),
  base: z.int(),
  prefix: z.int(),
  hardfork: z.enum(HARDFORKS),
  antiReplay: z.boolean(),
  accounts: z
    .union([
      z.enum(['test', 'none']),
      z.looseObject({ mnemonic: z.string(), addresses: z.array(z.string()) }),
    ])
    .optional(),
  secret: z.string(),
  snapshotId: z.string(),
  createTime: z.string(),
  warnings: z.array(z.string()).optional(),
  replay: forkReplaySchema.optional(),
  keepsFeeRecipient: z.boolean().optional(),
  hashes: z.object({ base: z.string(), height: z.string().optional() }).optional(),
  baseFee: z
    .object({
      denominator: z.int(),
      elasticity: z.int(),
      minimum: z.string().optional(),
    })
    .optional(),
  opStack: z.enum(OP_UPGRADES).optional(),
  keepsBlobGas: z.boolean().optional(),
  blobFraction: z.string().optional(),
  counted: z.int().optional(),
}) satisfies z.ZodType<ForkRecord>;

const usageSchema = z.record(z.string(), z.int().nonnegative());

/** The store file, version `SCHEMA_VERSION`. Records are keyed by id; their order is the order of creation. */
const storeSchema = z.object({
  schemaVersion: z.literal(SCHEMA_VERSION),
  users: z.record(z.string(), userSchema),
  keys: z.record(z.string(), keySchema),
  projects: z.record(z.string(), projectSchema),
  forks: z.record(z.string(), forkSchema),
  /** Transactions by project id, then by UTC day `YYYY-MM-DD`. */
  usage: z.record(z.string(), usageSchema),
});

export type StoreData = z.output<typeof storeSchema>;

/** `MIGRATIONS[n]` converts data of version n to version n + 1. */
type Migration = (data: Record<string, unknown>) => Record<string, unknown>;
const MIGRATIONS: Readonly<Record<number, Migration>> = {
  // Version 2 adds optional fields that restrict access: a service that does not know them must not use the file.
  1: (data) => data,
};

/** The file is from a later version of the service. This version must not modify it. */
class NewerSchemaError extends ForeignFileError {
  override readonly name = 'NewerSchemaError';

  constructor(readonly found: number) {
    super(
      `it has schema version ${found}, and this version of Forklens supports versions up to ` +
        `${SCHEMA_VERSION}: use a newer Forklens, or another data directory`,
    );
  }
}

export const emptyStore = (): StoreData => ({
  schemaVersion: SCHEMA_VERSION,
  users: {},
  keys: {},
  projects: {},
  forks: {},
  usage: {},
});

/**
 * Parses the text of a store file and migrates it to the current version.
 * @throws NewerSchemaError; any other error if the text is damaged
 */
export const parseStore = (text: string): StoreData => storeSchema.parse(migrated(text));

function migrated(text: string): Record<string, unknown> {
  let data = z.looseObject({ schemaVersion: z.int().min(1) }).parse(JSON.parse(text)) as Record<
    string,
    unknown
  > & { schemaVersion: number };
  if (data.schemaVersion > SCHEMA_VERSION) throw new NewerSchemaError(data.schemaVersion);
  while (data.schemaVersion < SCHEMA_VERSION) {
    const version = data.schemaVersion;
    const migrate = MIGRATIONS[version];
    if (!migrate) throw new Error(`there is no migration from schema version ${version}`);
    data = { ...migrate(data), schemaVersion: version + 1 };
  }
  return data;
}

const RECORDS = {
  users: userSchema,
  keys: keySchema,
  projects: projectSchema,
  forks: forkSchema,
  usage: usageSchema,
} as const;

/**
 * Recovers the valid records of a damaged store file.
 * @returns the records, and the paths of the invalid ones, such as `forks.fork_…`
 * @throws NewerSchemaError; any other error if no record can be identified
 */
export function salvageStore(text: string): { data: StoreData; lost: string[] } {
  const found = migrated(text);
  const data = emptyStore();
  const lost: string[] = [];
  for (const kind of Object.keys(RECORDS) as (keyof typeof RECORDS)[]) {
    const records = z.record(z.string(), z.unknown()).safeParse(found[kind]);
    if (!records.success) lost.push(kind);
    for (const [id, record] of Object.entries(records.data ?? {})) {
      const whole = RECORDS[kind].safeParse(record);
      if (whole.success) Object.assign(data[kind], { [id]: whole.data });
      else lost.push(`${kind}.${id}`);
    }
  }
  return { data, lost };
}
