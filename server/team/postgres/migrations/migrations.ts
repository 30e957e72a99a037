import { addAuditLog } from './add-audit-log';
import { addKeyFacts } from './add-key-facts';
import { addFilters } from './add-filters';
import { addNodes } from './add-nodes';
import { addQuotas } from './add-quotas';
import { addViewers } from './add-viewers';
import { createTables } from './create-tables';
import type { Migration } from './migration';

/** `MIGRATIONS[n]` converts a schema of version n to version n + 1. */
export const MIGRATIONS: readonly Migration[] = [
  createTables,
  addNodes,
  addViewers,
  addKeyFacts,
  addAuditLog,
  addFilters,
  addQuotas,
];
