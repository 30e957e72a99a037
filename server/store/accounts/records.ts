/* Records of the store file by id. Ids come from clients, so inherited properties do not count. */

/** @returns undefined for an unknown id, which includes the names of inherited properties */
export function lookUp<T>(records: Readonly<Record<string, T>>, id: string): T | undefined {
  return Object.hasOwn(records, id) ? records[id] : undefined;
}

/** @returns whether the record existed */
export function remove(records: Record<string, unknown>, id: string): boolean {
  if (!Object.hasOwn(records, id)) return false;
  // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- the record is the file's JSON object
  return delete records[id];
}
