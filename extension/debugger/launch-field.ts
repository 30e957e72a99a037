/** A text value of a launch configuration, and the other texts beside it. */
export interface LaunchField {
  /** Such as `chain`. */
  readonly name: string;
  readonly fields: Readonly<Record<string, string>>;
  /** Between the quotes. */
  readonly start: number;
  readonly end: number;
}

interface OpenObject {
  readonly isObject: boolean;
  readonly fields: Record<string, string>;
  /** Name whose value comes next. */
  name: string | undefined;
}

const TOKEN = /\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:[^"\\\n]|\\.)*"?|[{}[\],:]/g;

/**
 * The text value at an offset of `launch.json`, which has comments and may be unfinished.
 * @returns undefined outside of text values
 */
export function launchFieldAt(text: string, offset: number): LaunchField | undefined {
  const open: OpenObject[] = [];
  let found: (Omit<LaunchField, 'fields'> & { owner: OpenObject }) | undefined;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const owner = open.at(-1);
    const [first = ''] = token;
    if (first === '{' || first === '[') {
      open.push({ isObject: first === '{', fields: {}, name: undefined });
    } else if (first === '}' || first === ']') {
      open.pop();
      if (found && owner === found.owner) break;
    } else if (owner && first === ',') owner.name = undefined;
    else if (owner?.isObject && first === '"') {
      const isClosed = token.length > 1 && token.endsWith('"');
      const [start, end] = [index + 1, index + token.length - (isClosed ? 1 : 0)];
      const value = text.slice(start, end);
      if (owner.name === undefined) owner.name = value;
      else {
        owner.fields[owner.name] = value;
        if (offset >= start && offset <= end) found = { name: owner.name, start, end, owner };
      }
    }
  }
  if (!found) return undefined;
  const { name, start, end, owner } = found;
  return { name, start, end, fields: owner.fields };
}
