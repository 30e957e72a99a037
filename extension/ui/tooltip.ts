/** @param facts Markdown, one per line */
export function tooltip(title: string, facts: readonly string[], id: string | undefined): string {
  const lines = [`**${escapeMarkdown(title)}**`, ...facts.map(escapeOutsideCode)];
  return [lines.join('  \n'), ...(id === undefined ? [] : [`\`${id}\``])].join('\n\n');
}

function escapeOutsideCode(text: string): string {
  return text
    .split(/(`0x[0-9a-f]+`)/)
    .map((part, index) => (index % 2 === 1 ? part : escapeMarkdown(part)))
    .join('');
}

/** Names come from users and collaborators: they must not become links or commands. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_{}[\]()#+\-!~<>|$&]/g, '\\$&');
}
