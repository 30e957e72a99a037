import type { Generated } from 'kysely';

/*
 * The tables as this version of the service uses them. Times that clients see are RFC 3339 texts, as everywhere in the service; times that
 * nodes compare are of the database's clock. No column is a sequence that orders rows of several forks.
 */

interface UserRow {
  user_id: string;
  nickname: string;
  email: string;
  create_time: string;
}

interface AccessKeyRow {
  key_id: string;
  user_id: string;
  label: string;
  scopes: string[];
  hash: string;
  create_time: string;
  expires_at: Date | null;
  last_used_at: Date | null;
  replaced_by: string | null;
}

interface ProjectRow {
  project_id: string;
  owner_id: string;
  name: string;
  create_time: string;
}

interface CollaboratorRow {
  project_id: string;
  user_id: string;
  /** Increases in the order of addition, within the project. */
  ordinal: number;
}

interface UsageRow {
  project_id: string;
  /** UTC, `YYYY-MM-DD` */
  day: string;
  count: number;
}

interface ForkRow {
  fork_id: string;
  project_id: string;
  /** Part of the fork's address; changes when the address is renewed. */
  secret: string;
  create_time: string;
  /** Sequence of the last executions in the usage; null: none. */
  counted: number | null;
  /** JSON of the record without the members above. */
  record: string;
}

interface LabelsRow {
  user_id: string;
  /** JSON in the format of the files. */
  labels: string;
}

interface AbiRow {
  user_id: string;
  chain: string;
  address: string;
  /** JSON in the format of the files. */
  abi: string;
}

/** Who may append to a fork's journal. */
interface LeaseRow {
  fork_id: string;
  node_id: string;
  /** Increases with each opening of the journal, so that earlier holders can append nothing more. */
  epoch: number;
  expires_at: Date;
}

interface NodeRow {
  node_id: string;
  /** Where other nodes reach it; null: they do not. */
  url: string | null;
  version: string;
  /** Engines that it may run at a time. */
  capacity: number;
  /** Forks that it runs, and requests that wait for an engine, at the last heartbeat. */
  engines: number;
  waiting: number;
  /** It takes no more forks, and gives its own away. */
  draining: boolean;
  started_at: Generated<Date>;
  heartbeat_at: Generated<Date>;
}

/** What all nodes share: one row. */
interface ClusterRow {
  /** Always 1. */
  id: number;
  /** By which nodes recognize each other. */
  secret: string;
}

/** A change for the clients of other nodes. */
interface EventRow {
  /** The process that wrote it: a restarted node counts from 1 again. */
  writer: string;
  /** From 1, within the writer. */
  seq: number;
  event: string;
  created_at: Generated<Date>;
}

/** A filter of a fork, as of `eth_newFilter`. */
interface FilterRow {
  fork_id: string;
  filter_id: string;
  /** JSON. */
  topic: string;
  /** Number of the newest block that was reported. */
  position: number;
  /** Hash of the newest pooled transaction that was reported, empty before the first; null: the filter does not follow them. */
  last_sent: string | null;
  changed_at: Generated<Date>;
}

/** `creating`: the fork is not in the store yet. `deleted`: its deletion has begun. */
export type JournalState = 'creating' | 'ready' | 'deleted';

interface JournalRow {
  fork_id: string;
  state: JournalState;
  /** The entries that count. A rewritten journal is a new generation; rows of all others count for nothing. */
  generation: string;
  next_snapshot: number;
  executed: number;
  created_at: Generated<Date>;
}

interface EntryRow {
  fork_id: string;
  generation: string;
  /** From 1, without gaps. */
  seq: number;
  /** Epoch of the lease under which the entry was appended. */
  epoch: number;
  /** A line of a journal file, without its line feed. With a payload: the line of the entry without its payload. */
  line: string;
  /** Bytes of the whole line, including the line feed. */
  bytes: number;
  payload: string | null;
}

/** A part of a line that is too long for its row. */
interface PayloadRow {
  fork_id: string;
  payload: string;
  /** From 0. */
  part: number;
  data: Buffer;
}

/** An entry of the audit log. Rows are never changed. */
interface AuditRow {
  /** 24 hex digits, in the order of time. */
  id: string;
  action: string;
  project_id: string | null;
  user_id: string | null;
  /** Owner of the project at the time. */
  owner_id: string | null;
  /** JSON of the whole record. */
  entry: string;
}

interface SchemaVersionRow {
  /** Always 1: there is one row. */
  id: number;
  version: number;
  /** The oldest schema version whose services may use this schema. */
  readable_by: number;
}

export interface Schema {
  'forklens.users': UserRow;
  'forklens.access_keys': AccessKeyRow;
  'forklens.projects': ProjectRow;
  'forklens.collaborators': CollaboratorRow;
  /** Viewers, in the form of the collaborators, who are editors. */
  'forklens.viewers': CollaboratorRow;
  'forklens.usage': UsageRow;
  'forklens.forks': ForkRow;
  'forklens.labels': LabelsRow;
  'forklens.abis': AbiRow;
  'forklens.leases': LeaseRow;
  'forklens.nodes': NodeRow;
  'forklens.cluster': ClusterRow;
  'forklens.events': EventRow;
  'forklens.filters': FilterRow;
  'forklens.journals': JournalRow;
  'forklens.journal_entries': EntryRow;
  'forklens.journal_payloads': PayloadRow;
  'forklens.audit_log': AuditRow;
  'forklens.schema_version': SchemaVersionRow;
}
