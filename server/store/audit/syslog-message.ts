import { hostname } from 'node:os';
import type { AuditEntry } from '../../api/audit';

/** Numbers of RFC 5424 §6.2.1: the facility "log audit", and severities. */
const FACILITY = 13;
const WARNING = 4;
const INFORMATIONAL = 6;

const HOST = printable(hostname(), 255);

/** An entry as a message of RFC 5424. Its text is the entry as JSON; a refused or failed action is a warning. */
export function syslogMessage(entry: AuditEntry): string {
  const priority = FACILITY * 8 + (entry.code === 0 ? INFORMATIONAL : WARNING);
  const id = printable(entry.action, 32);
  return `<${priority}>1 ${entry.time} ${HOST} forklens ${process.pid} ${id} - ${JSON.stringify(entry)}`;
}

/** A field of the header: printable ASCII without spaces; `-` for none. */
function printable(text: string, length: number): string {
  return text.replace(/[^\x21-\x7e]/g, '').slice(0, length) || '-';
}
